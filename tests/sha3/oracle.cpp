#include "oracle.hpp"

#include <algorithm>
#include <bit>

#include "common/places.hpp"
#include "sha3/constants.hpp"

namespace sha3::oracle {
namespace {

// Algorithm 5: a bit of the shift register with the polynomial x^8 + x^6 + x^5 + x^4 + 1.
bool rc(unsigned t) {
  unsigned r = 1;
  for (unsigned i = 0; i < t % 255; ++i) {
    r <<= 1;
    if (r >> 8 != 0) r ^= 0b1'0111'0001;
  }
  return r % 2 == 1;
}

// Algorithm 2: the offset of the lane that is visited in step t is the triangular number of t + 1.
std::array<std::array<unsigned, 5>, 5> all_rho_offsets() {
  std::array<std::array<unsigned, 5>, 5> offsets{};
  unsigned x = 1, y = 0;
  for (unsigned t = 0; t < 24; ++t) {
    offsets[x][y] = (t + 1) * (t + 2) / 2 % 64;
    const unsigned next_y = (2 * x + 3 * y) % 5;
    x = y;
    y = next_y;
  }
  return offsets;
}

// Algorithm 6.
std::array<std::uint64_t, 24> all_round_constants() {
  std::array<std::uint64_t, 24> constants{};
  for (unsigned round = 0; round < constants.size(); ++round) {
    for (unsigned j = 0; j <= 6; ++j) constants[round] |= std::uint64_t{rc(j + 7 * round)} << ((1u << j) - 1);
  }
  return constants;
}

const auto rho_offsets = all_rho_offsets();
const auto round_constants = all_round_constants();

std::string wrong_digest(std::size_t message, std::size_t count, std::size_t calls) {
  return "the digest of message " + std::to_string(message) + " of " + std::to_string(count) +
         " is not what the oracle gives after " + std::to_string(calls) + " calls";
}

}  // namespace

unsigned rho_offset(unsigned x, unsigned y) { return rho_offsets.at(x).at(y); }

std::uint64_t round_constant(unsigned round) { return round_constants.at(round); }

State theta(const State& a) {
  std::array<std::uint64_t, 5> parity;
  for (unsigned x = 0; x < 5; ++x) parity[x] = a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4];
  State result;
  for (unsigned x = 0; x < 5; ++x) {
    for (unsigned y = 0; y < 5; ++y) result[x][y] = a[x][y] ^ parity[(x + 4) % 5] ^ std::rotl(parity[(x + 1) % 5], 1);
  }
  return result;
}

State rho(const State& a) {
  State result;
  for (unsigned x = 0; x < 5; ++x) {
    for (unsigned y = 0; y < 5; ++y) result[x][y] = std::rotl(a[x][y], static_cast<int>(rho_offsets[x][y]));
  }
  return result;
}

State pi(const State& a) {
  State result;
  for (unsigned x = 0; x < 5; ++x) {
    for (unsigned y = 0; y < 5; ++y) result[x][y] = a[(x + 3 * y) % 5][x];
  }
  return result;
}

State chi(const State& a) {
  State result;
  for (unsigned x = 0; x < 5; ++x) {
    for (unsigned y = 0; y < 5; ++y) result[x][y] = a[x][y] ^ (~a[(x + 1) % 5][y] & a[(x + 2) % 5][y]);
  }
  return result;
}

State iota(const State& a, unsigned round) {
  State result = a;
  result[0][0] ^= round_constants[round];
  return result;
}

State permute(State a, unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) a = iota(chi(pi(rho(theta(a)))), round);
  return a;
}

std::vector<std::uint8_t> digest(std::span<const std::uint8_t> message, unsigned bits) {
  const std::size_t rate = (1600 - 2 * bits) / 8;
  std::vector<std::uint8_t> padded(message.begin(), message.end());
  padded.push_back(padding);
  padded.resize((padded.size() + rate - 1) / rate * rate);
  padded.back() |= 0x80;

  // Byte i of a block is byte i % 8 of lane i / 8, and the lanes go along x first.
  State a{};
  for (std::size_t block = 0; block < padded.size(); block += rate) {
    for (std::size_t i = 0; i < rate; ++i) {
      a[i / 8 % 5][i / 40] ^= std::uint64_t{padded[block + i]} << 8 * (i % 8);
    }
    a = permute(a, rounds);
  }
  std::vector<std::uint8_t> result(bits / 8);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<std::uint8_t>(a[i / 8 % 5][i / 40] >> 8 * (i % 8));
  }
  return result;
}

std::string difference(std::span<const Message> messages, std::size_t bytes, std::size_t calls, std::size_t places) {
  if (calls == 0) return {};
  for (const std::size_t i : ladder::drawn(messages.size(), places)) {
    const auto expected = digest({messages[i].data, messages[i].size}, static_cast<unsigned>(8 * bytes));
    if (std::equal(expected.begin(), expected.end(), messages[i].digest)) continue;
    return wrong_digest(i, messages.size(), calls);
  }
  return {};
}

std::string difference_in_place(std::span<const std::uint8_t> first, std::span<const Message> messages,
                                std::size_t bytes, std::size_t calls, std::size_t places) {
  for (const std::size_t i : ladder::drawn(messages.size(), places)) {
    const auto before = first.subspan(i * bytes, bytes);
    std::vector<std::uint8_t> field(before.begin(), before.end());
    for (std::size_t call = 0; call < calls; ++call) {
      field = digest(std::span(field).first(messages[i].size), static_cast<unsigned>(8 * bytes));
    }
    if (std::equal(field.begin(), field.end(), messages[i].digest)) continue;
    return wrong_digest(i, messages.size(), calls);
  }
  return {};
}

}  // namespace sha3::oracle
