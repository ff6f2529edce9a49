// Correct functions for the parts of a mutant that are right.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using State = std::array<std::uint32_t, words>;

inline State state_of(Key key, const Nonce& nonce, std::uint64_t counter) {
  State state;
  const char* constant = key.size() == 32 ? "expand 32-byte k" : "expand 16-byte k";
  for (unsigned i = 0; i < 4; ++i) std::memcpy(&state[5 * i], constant + 4 * i, 4);
  std::memcpy(&state[1], key.data(), 16);
  std::memcpy(&state[11], key.data() + key.size() - 16, 16);
  std::memcpy(&state[6], nonce.data(), 8);
  std::memcpy(&state[8], &counter, 8);
  return state;
}

inline void quarter_round(State& x, const unsigned (&at)[4], unsigned last_rotation = 18) {
  const unsigned rotations[4] = {7, 9, 13, last_rotation};
  for (unsigned i = 0; i < 4; ++i) {
    x[at[(i + 1) % 4]] ^= std::rotl(x[at[i]] + x[at[(i + 3) % 4]], static_cast<int>(rotations[i]));
  }
}

inline void double_round(State& x, unsigned last_rotation = 18) {
  for (unsigned i = 0; i < 4; ++i) {  // columns, then rows, each from its word on the diagonal on
    quarter_round(x, {5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16}, last_rotation);
  }
  for (unsigned i = 0; i < 4; ++i) {
    quarter_round(x, {4 * i + i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4, 4 * i + (i + 3) % 4}, last_rotation);
  }
}

inline State key_stream(const State& start, unsigned number_of_rounds = rounds) {
  State x = start;
  for (unsigned round = 0; round < number_of_rounds; round += 2) double_round(x);
  for (unsigned i = 0; i < words; ++i) x[i] += start[i];
  return x;
}

// Xors a block, or a part of one at the end.
inline void xor_block(std::uint8_t* out, std::span<const std::uint8_t> in, const State& stream) {
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < std::min(in.size(), block_bytes); ++i) out[i] = in[i] ^ bytes[i];
}

// Calls `stream_of(number)` for the key stream of every block.
inline void crypt_blocks(std::uint8_t* out, std::span<const std::uint8_t> in, auto stream_of) {
  for (std::size_t block = 0; block * block_bytes < in.size(); ++block) {
    xor_block(out + block * block_bytes, in.subspan(block * block_bytes), stream_of(block));
  }
}

}  // namespace
}  // namespace salsa20
