// SIMD within one block: four vectors, so that one vector quarter-round does the four of a round.
#include <bit>
#include <cstring>

#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, words>;
using Row [[gnu::vector_size(16)]] = Word;
using Rows = std::array<Row, 4>;

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

Row rotl(Row row, unsigned n) { return row << n | row >> (32 - n); }

void quarter_rounds(Row& a, Row& b, Row& c, Row& d) {
  b ^= rotl(a + d, 7);
  c ^= rotl(b + a, 9);
  d ^= rotl(c + b, 13);
  a ^= rotl(d + c, 18);
}

template <int... lane>
Rows turned(const Rows& m, unsigned by) {
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(m[i], m[(i + by) % 4], lane...);
  return result;
}

// Rotates column i of the matrix up by i places, so that the diagonals become rows. And back.
Rows to_diagonals(const Rows& m) { return turned<0, 1, 6, 7>(turned<0, 5, 2, 7>(m, 1), 2); }
Rows to_matrix(const Rows& m) { return turned<0, 5, 2, 7>(turned<0, 1, 6, 7>(m, 2), 3); }

// The block of the key stream that begins with the state `start`.
State key_stream(const State& start) {
  const Rows first = to_diagonals(std::bit_cast<Rows>(start));
  auto [a, b, c, d] = first;
  for (unsigned round = 0; round < rounds; round += 2) {
    quarter_rounds(a, b, c, d);
    b = __builtin_shufflevector(b, b, 3, 0, 1, 2);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 1, 2, 3, 0);
    quarter_rounds(a, d, c, b);  // now the lanes hold the rows of the matrix
    b = __builtin_shufflevector(b, b, 1, 2, 3, 0);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 3, 0, 1, 2);
  }
  return std::bit_cast<State>(to_matrix({a + first[0], b + first[1], c + first[2], d + first[3]}));
}

void skip(State& state, std::uint64_t blocks) {
  const std::uint64_t counter = (state[8] | std::uint64_t{state[9]} << 32) + blocks;
  state[8] = static_cast<Word>(counter);
  state[9] = static_cast<Word>(counter >> 32);
}

// Fewer than a block.
void xor_bytes(std::uint8_t* out, std::span<const std::uint8_t> in, const State& stream) {
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ bytes[i];
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State state = initial_state(key, nonce, counter);
  for (; in.size() >= block_bytes; in = in.subspan(block_bytes), out += block_bytes) {
    const State x = key_stream(state);
    for (unsigned i = 0; i < words; ++i) store(out + 4 * i, load(in.data() + 4 * i) ^ x[i]);
    skip(state, 1);
  }
  if (!in.empty()) xor_bytes(out, in, key_stream(state));
}

}  // namespace salsa20
