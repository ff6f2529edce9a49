// Reference: BouncyCastle's structure: an array of words, a buffer of bytes, and an xor byte by byte.
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
  State x = state;
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
