#include "skein.hpp"

#include <algorithm>

#include "threefish/threefish.hpp"

namespace threefish::skein {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t block_bytes = sizeof(Block);

enum class Type : std::uint64_t { configuration = 4, message = 48, output = 63 };

// The fields of the tweak's second word.
constexpr std::uint64_t bit_pad = std::uint64_t{1} << 55, first = std::uint64_t{1} << 62, last = std::uint64_t{1} << 63;
std::uint64_t field(Type type) { return static_cast<std::uint64_t>(type) << 56; }

Block block_of(std::span<const std::uint8_t> bytes) {
  Block block{};
  for (std::size_t i = 0; i < bytes.size(); ++i) block[i / 8] |= std::uint64_t{bytes[i]} << 8 * (i % 8);
  return block;
}

// Unique block iteration: every block is ciphered with the chaining value as the key, and added to it by xor.
Block iterate(Key chaining, Bytes bytes, std::size_t bits, Type type) {
  std::uint64_t flags = field(type) | first;
  const bool partial = bits % 8 != 0;
  if (partial) {
    const auto pad = static_cast<std::uint8_t>(0x80 >> bits % 8);
    bytes.back() = static_cast<std::uint8_t>((bytes.back() & -pad) | pad);
  }
  std::span<const std::uint8_t> rest = bytes;
  std::size_t position = 0;
  do {
    const auto part = rest.first(std::min(rest.size(), block_bytes));
    rest = rest.subspan(part.size());
    position += part.size();
    if (rest.empty()) flags |= last | (partial ? bit_pad : 0);
    const Block plain = block_of(part);
    Block block = plain;
    encrypt({&block, 1}, chaining, {position, flags});
    for (std::size_t i = 0; i < block.size(); ++i) chaining[i] = block[i] ^ plain[i];
    flags &= ~first;
  } while (!rest.empty());
  return chaining;
}

}  // namespace

std::vector<std::uint8_t> hash(std::span<const std::uint8_t> message, std::size_t bits, std::size_t output_bits) {
  Bytes configuration{'S', 'H', 'A', '3', 1, 0, 0, 0};
  configuration.resize(block_bytes);
  for (std::size_t i = 0; i < 8; ++i)
    configuration[8 + i] = static_cast<std::uint8_t>(std::uint64_t{output_bits} >> 8 * i);
  const Key initial = iterate({}, configuration, 8 * block_bytes, Type::configuration);
  const Key chaining = iterate(initial, {message.begin(), message.end()}, bits, Type::message);

  // Block i of the output comes from the number i: all of them with one key and one tweak, so all in one call.
  const std::size_t output_bytes = output_bits / 8;
  std::vector<Block> output((output_bytes + block_bytes - 1) / block_bytes);
  for (std::size_t i = 0; i < output.size(); ++i) output[i][0] = i;
  encrypt(output, chaining, {8, field(Type::output) | first | last});
  Bytes digest(output_bytes);
  for (std::size_t i = 0; i < output.size(); ++i) output[i][0] ^= i;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::uint8_t>(output[i / block_bytes][i % block_bytes / 8] >> 8 * (i % 8));
  }
  return digest;
}

}  // namespace threefish::skein
