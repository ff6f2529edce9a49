// Scalar replacement: sixteen local variables instead of an array.
#include <cstring>

#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, words>;

Word load(const void* bytes) {
  Word word;
  std::memcpy(&word, bytes, 4);
  return word;
}

void store(std::uint8_t* bytes, Word word) { std::memcpy(bytes, &word, 4); }

// A 4 x 4 matrix of words. Constants are on the diagonal. The others are in order the first 16 bytes of the key, the
// nonce, the counter and the last 16 bytes of the key.
State initial_state(Key key, const Nonce& nonce, std::uint64_t counter) {
  const char* constant = key.size() == 32 ? "expand 32-byte k" : "expand 16-byte k";
  const std::uint8_t* second = key.data() + key.size() - 16;  // a short key is used twice
  State state;
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

Word rotl(Word word, unsigned n) { return word << n | word >> (32 - n); }

void quarter_round(Word& a, Word& b, Word& c, Word& d) {
  b ^= rotl(a + d, 7);
  c ^= rotl(b + a, 9);
  d ^= rotl(c + b, 13);
  a ^= rotl(d + c, 18);
}

void next_block(std::uint8_t* stream, State& state) {
  Word x0 = state[0], x1 = state[1], x2 = state[2], x3 = state[3], x4 = state[4], x5 = state[5];
  Word x6 = state[6], x7 = state[7], x8 = state[8], x9 = state[9], x10 = state[10], x11 = state[11];
  Word x12 = state[12], x13 = state[13], x14 = state[14], x15 = state[15];
  for (unsigned round = 0; round < rounds; round += 2) {
    quarter_round(x0, x4, x8, x12);
    quarter_round(x5, x9, x13, x1);
    quarter_round(x10, x14, x2, x6);
    quarter_round(x15, x3, x7, x11);
    quarter_round(x0, x1, x2, x3);
    quarter_round(x5, x6, x7, x4);
    quarter_round(x10, x11, x8, x9);
    quarter_round(x15, x12, x13, x14);
  }
  const Word x[words] = {x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15};
  for (unsigned i = 0; i < words; ++i) store(stream + 4 * i, x[i] + state[i]);
  if (++state[8] == 0) ++state[9];
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State state = initial_state(key, nonce, counter);
  std::uint8_t stream[block_bytes];
  std::size_t place = 0;  // in `stream`
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (place == 0) next_block(stream, state);
    out[i] = in[i] ^ stream[place];
    place = (place + 1) % block_bytes;
  }
}

}  // namespace salsa20
