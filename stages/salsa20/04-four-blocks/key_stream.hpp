// The key stream of blocks whose words may be of any type: a single word, or a vector with the same word of several
// blocks.
#pragma once

#include <cstring>

#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using Word = std::uint32_t;
template <class AnyWord>
using State = std::array<AnyWord, words>;

Word load(const void* bytes) {
  Word word;
  std::memcpy(&word, bytes, 4);
  return word;
}

// A 4 x 4 matrix of words. Constants are on the diagonal. The others are in order the first 16 bytes of the key, the
// nonce, the counter and the last 16 bytes of the key.
State<Word> initial_state(Key key, const Nonce& nonce, std::uint64_t counter) {
  const char* constant = key.size() == 32 ? "expand 32-byte k" : "expand 16-byte k";
  const std::uint8_t* second = key.data() + key.size() - 16;  // a short key is used twice
  State<Word> state;
  for (unsigned i = 0; i < 4; ++i) {
    state[5 * i] = load(constant + 4 * i);
    state[1 + i] = load(key.data() + 4 * i);
    state[11 + i] = load(second + 4 * i);
  }
  state[6] = load(nonce.data());
  state[7] = load(nonce.data() + 4);
  state[8] = static_cast<Word>(counter);
  state[9] = static_cast<Word>(counter >> 32);
  return state;
}

[[gnu::always_inline]] inline auto rotl(auto word, unsigned n) { return word << n | word >> (32 - n); }

[[gnu::always_inline]] inline void quarter_round(auto& a, auto& b, auto& c, auto& d) {
  b ^= rotl(a + d, 7);
  c ^= rotl(b + a, 9);
  d ^= rotl(c + b, 13);
  a ^= rotl(d + c, 18);
}

// The blocks of the key stream that begin with the states `start`.
[[gnu::always_inline]] inline auto key_stream(const auto& start) {
  auto x = start;
  for (unsigned round = 0; round < rounds; round += 2) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[5], x[9], x[13], x[1]);
    quarter_round(x[10], x[14], x[2], x[6]);
    quarter_round(x[15], x[3], x[7], x[11]);
    quarter_round(x[0], x[1], x[2], x[3]);
    quarter_round(x[5], x[6], x[7], x[4]);
    quarter_round(x[10], x[11], x[8], x[9]);
    quarter_round(x[15], x[12], x[13], x[14]);
  }
  for (unsigned i = 0; i < words; ++i) x[i] += start[i];
  return x;
}

void skip(State<Word>& state, std::uint64_t blocks) {
  const std::uint64_t counter = (state[8] | std::uint64_t{state[9]} << 32) + blocks;
  state[8] = static_cast<Word>(counter);
  state[9] = static_cast<Word>(counter >> 32);
}

}  // namespace
}  // namespace salsa20
