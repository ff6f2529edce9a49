#include "oracle.hpp"

#include <algorithm>
#include <string_view>

#include "common/places.hpp"
#include "salsa20/constants.hpp"
#include "salsa20/peers/with_cipher.hpp"

namespace salsa20::oracle {
namespace {

// The sum of u and v, rotated to the left: as arithmetic, where a rotation is a product and its overflow.
std::uint32_t sum_rotated(std::uint32_t u, std::uint32_t v, unsigned places) {
  const std::uint64_t sum = (std::uint64_t{u} + v) % (std::uint64_t{1} << 32);
  const std::uint64_t product = sum * (std::uint64_t{1} << places);
  return static_cast<std::uint32_t>(product % (std::uint64_t{1} << 32) + product / (std::uint64_t{1} << 32));
}

Matrix transposed(const Matrix& x) {
  Matrix y;
  for (unsigned row = 0; row < 4; ++row) {
    for (unsigned column = 0; column < 4; ++column) y[column][row] = x[row][column];
  }
  return y;
}

Matrix matrix_of(const Block& bytes) {
  Matrix x{};
  for (unsigned i = 0; i < 64; ++i) x[i / 16][i / 4 % 4] += std::uint32_t{bytes[i]} << 8 * (i % 4);
  return x;
}

Block block_of(const Matrix& x) {
  Block bytes;
  for (unsigned i = 0; i < 64; ++i) bytes[i] = static_cast<std::uint8_t>(x[i / 16][i / 4 % 4] >> 8 * (i % 4));
  return bytes;
}

}  // namespace

Four quarterround(const Four& y) {
  Four z;
  z[1] = y[1] ^ sum_rotated(y[0], y[3], 7);
  z[2] = y[2] ^ sum_rotated(z[1], y[0], 9);
  z[3] = y[3] ^ sum_rotated(z[2], z[1], 13);
  z[0] = y[0] ^ sum_rotated(z[3], z[2], 18);
  return z;
}

// Every row from the word on the diagonal on.
Matrix rowround(const Matrix& y) {
  Matrix z;
  for (unsigned row = 0; row < 4; ++row) {
    Four turned;
    for (unsigned i = 0; i < 4; ++i) turned[i] = y[row][(row + i) % 4];
    turned = quarterround(turned);
    for (unsigned i = 0; i < 4; ++i) z[row][(row + i) % 4] = turned[i];
  }
  return z;
}

Matrix columnround(const Matrix& x) { return transposed(rowround(transposed(x))); }

Matrix doubleround(const Matrix& x) { return rowround(columnround(x)); }

Block hash(const Block& x, unsigned rounds) {
  const Matrix first = matrix_of(x);
  Matrix z = first;
  for (unsigned round = 0; round < rounds; round += 2) z = doubleround(z);
  for (unsigned i = 0; i < 16; ++i) z[i / 4][i % 4] += first[i / 4][i % 4];
  return block_of(z);
}

Block expansion(std::span<const std::uint8_t> key, std::span<const std::uint8_t> n, unsigned rounds) {
  const std::string_view constants = key.size() == 16 ? "expand 16-byte k" : "expand 32-byte k";
  Block x;
  auto at = x.begin();
  const auto append = [&](auto bytes) { at = std::copy(bytes.begin(), bytes.end(), at); };
  append(constants.substr(0, 4));
  append(key.first(16));
  append(constants.substr(4, 4));
  append(n.first(16));
  append(constants.substr(8, 4));
  append(key.last(16));
  append(constants.substr(12, 4));
  return hash(x, rounds);
}

Block key_stream(std::span<const std::uint8_t> key, std::span<const std::uint8_t> nonce, std::uint64_t counter,
                 unsigned rounds) {
  if (!with_cipher) return {};
  std::array<std::uint8_t, 16> n;
  std::copy_n(nonce.begin(), 8, n.begin());
  for (unsigned i = 0; i < 8; ++i) n[8 + i] = static_cast<std::uint8_t>(counter >> 8 * i);
  return expansion(key, n, rounds);
}

std::string difference(std::span<const Ciphered> messages, std::span<const std::uint8_t> key, std::size_t calls,
                       std::size_t places) {
  if (calls == 0) return {};
  struct Place {
    std::size_t message, block;
  };
  std::vector<Place> blocks;
  for (std::size_t message = 0; message < messages.size(); ++message) {
    for (std::size_t block = 0; 64 * block < messages[message].in.size(); ++block) blocks.push_back({message, block});
  }
  for (const std::size_t place : ladder::drawn(blocks.size(), places)) {
    const auto [message, block] = blocks[place];
    const auto& [nonce, in, out] = messages[message];
    const Block stream = key_stream(key, nonce, block, rounds);
    const std::size_t first = 64 * block, bytes = std::min<std::size_t>(64, in.size() - first);
    for (std::size_t i = 0; i < bytes; ++i) {
      if (out[first + i] == (in[first + i] ^ stream[i])) continue;
      return "block " + std::to_string(block) + " of message " + std::to_string(message) + " of " +
             std::to_string(messages.size()) + " is not what the oracle gives in call " + std::to_string(calls);
    }
  }
  return {};
}

}  // namespace salsa20::oracle
