// SIMD within one block for single blocks, where a set would leave its other lanes empty.
// requires: x86-64-v3
#include <bit>

#include "salsa20/07-transpose/transpose.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

#ifdef __AVX512F__
constexpr std::size_t width = 16;
#else
constexpr std::size_t width = 8;
#endif
using Lanes [[gnu::vector_size(4 * width)]] = Word;  // the same word of that many blocks
struct Pair {
  Lanes a, b;  // of two sets
};
Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
Pair operator|(Pair x, Pair y) { return {x.a | y.a, x.b | y.b}; }
Pair operator<<(Pair x, unsigned n) { return {x.a << n, x.b << n}; }
Pair operator>>(Pair x, unsigned n) { return {x.a >> n, x.b >> n}; }
Pair& operator+=(Pair& x, Pair y) { return x = x + y; }
Pair& operator^=(Pair& x, Pair y) { return x = {x.a ^ y.a, x.b ^ y.b}; }

using Row [[gnu::vector_size(16)]] = Word;
using Rows = std::array<Row, 4>;

template <int... lane>
Rows turned(const Rows& m, unsigned by) {
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(m[i], m[(i + by) % 4], lane...);
  return result;
}

// Rotates column i of the matrix up by i places, so that the diagonals become rows. And back.
Rows to_diagonals(const Rows& m) { return turned<0, 1, 6, 7>(turned<0, 5, 2, 7>(m, 1), 2); }
Rows to_matrix(const Rows& m) { return turned<0, 5, 2, 7>(turned<0, 1, 6, 7>(m, 2), 3); }

// One block: the lanes are its four quarter-rounds.
State<Word> key_stream(const State<Word>& start) {
  const Rows first = to_diagonals(std::bit_cast<Rows>(start));
  auto [a, b, c, d] = first;
  for (unsigned round = 0; round < rounds; round += 2) {
    quarter_round(a, b, c, d);
    b = __builtin_shufflevector(b, b, 3, 0, 1, 2);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 1, 2, 3, 0);
    quarter_round(a, d, c, b);  // now the lanes hold the rows of the matrix
    b = __builtin_shufflevector(b, b, 1, 2, 3, 0);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1);
    d = __builtin_shufflevector(d, d, 3, 0, 1, 2);
  }
  return std::bit_cast<State<Word>>(to_matrix({a + first[0], b + first[1], c + first[2], d + first[3]}));
}

// The states of the next blocks, one in each lane.
State<Lanes> states_from(State<Word> state) {
  State<Lanes> states;
  for (unsigned i = 0; i < words; ++i) states[i] = Lanes{} + state[i];
  for (unsigned k = 0; k < width; ++k) {
    states[8][k] = state[8];
    states[9][k] = state[9];
    skip(state, 1);
  }
  return states;
}

// The states of the next set.
void next_set(State<Lanes>& states) {
  states[8] += static_cast<Word>(width);
  states[9] -= Lanes(states[8] < static_cast<Word>(width));  // true is -1: the carry
}

[[gnu::always_inline]] inline void xor_two_sets(std::uint8_t* out, const std::uint8_t* in, State<Lanes>& states) {
  State<Pair> pairs;
  for (unsigned i = 0; i < words; ++i) pairs[i].a = states[i];
  next_set(states);
  for (unsigned i = 0; i < words; ++i) pairs[i].b = states[i];
  next_set(states);
  pairs = key_stream(pairs);
  State<Lanes> first, second;
  for (unsigned i = 0; i < words; ++i) first[i] = pairs[i].a;
  for (unsigned i = 0; i < words; ++i) second[i] = pairs[i].b;
  xor_blocks(out, in, first);
  xor_blocks(out + width * block_bytes, in + width * block_bytes, second);
}

// At most a block.
void xor_bytes(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Word>& stream) {
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ bytes[i];
}

// At most a set.
void xor_rest(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Lanes>& states) {
  std::uint8_t blocks[width * block_bytes];
  std::memcpy(blocks, in.data(), in.size());
  xor_blocks(blocks, blocks, key_stream(states));
  std::memcpy(out, blocks, in.size());
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State<Word> state = initial_state(key, nonce, counter);
  if (in.size() > block_bytes) {
    State<Lanes> states = states_from(state);
    for (constexpr std::size_t bytes = 2 * width * block_bytes; in.size() >= bytes;
         in = in.subspan(bytes), out += bytes) {
      xor_two_sets(out, in.data(), states);
      skip(state, 2 * width);
    }
    for (constexpr std::size_t bytes = width * block_bytes; in.size() >= bytes; in = in.subspan(bytes), out += bytes) {
      xor_blocks(out, in.data(), key_stream(states));
      next_set(states);
      skip(state, width);
    }
    if (in.size() > block_bytes) return xor_rest(out, in, states);
  }
  if (!in.empty()) xor_bytes(out, in, key_stream(state));
}

}  // namespace salsa20
