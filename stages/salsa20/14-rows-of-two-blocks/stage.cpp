// Two blocks as rows in one register: each half of a register is a row of one block.
// requires: x86-64-v3
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
using Four [[gnu::vector_size(16)]] = Word;
using Eight [[gnu::vector_size(32)]] = Word;

struct Pair {
  Lanes a, b;  // of two sets
};
Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
Pair operator|(Pair x, Pair y) { return {x.a | y.a, x.b | y.b}; }
Pair operator<<(Pair x, unsigned n) { return {x.a << n, x.b << n}; }
Pair operator>>(Pair x, unsigned n) { return {x.a >> n, x.b >> n}; }
Pair& operator+=(Pair& x, Pair y) { return x = x + y; }
Pair& operator^=(Pair& x, Pair y) { return x = {x.a ^ y.a, x.b ^ y.b}; }

using Rows = std::array<Eight, 4>;  // in each half the rows of one block, or its diagonals

template <int... lane>
Rows turned(const Rows& m, unsigned by) {
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(m[i], m[(i + by) % 4], lane...);
  return result;
}

// The diagonals of the matrix, gathered word by word: a load of one word gets its value from a store of one word.
std::array<Four, 4> diagonals(const State<Word>& m) {
  return {Four{m[0], m[5], m[10], m[15]}, Four{m[4], m[9], m[14], m[3]}, Four{m[8], m[13], m[2], m[7]},
          Four{m[12], m[1], m[6], m[11]}};
}

// The starting states of the next two blocks, as diagonals.
Rows two_starts(const State<Word>& state) {
  const auto half = diagonals(state);
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(half[i], half[i], 0, 1, 2, 3, 0, 1, 2, 3);
  const Eight blocks{0, 0, 0, 0, 1, 0, 0, 0};
  result[2] += blocks;
  const Eight carry = Eight(result[2] < blocks);
  result[1] -= __builtin_shufflevector(carry, carry, 1, 0, 3, 2, 5, 4, 7, 6);
  return result;
}

// Rotates column i of the diagonals down by i places, so that they become the rows of the matrix.
Rows to_matrix(const Rows& m) { return turned<0, 9, 2, 11, 4, 13, 6, 15>(turned<0, 1, 10, 11, 4, 5, 14, 15>(m, 2), 3); }

// Two blocks: the lanes are their eight quarter-rounds.
Rows two_blocks(const State<Word>& start) {
  const Rows first = two_starts(start);
  auto [a, b, c, d] = first;
  for (unsigned round = 0; round < rounds; round += 2) {
    quarter_round(a, b, c, d);
    b = __builtin_shufflevector(b, b, 3, 0, 1, 2, 7, 4, 5, 6);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
    d = __builtin_shufflevector(d, d, 1, 2, 3, 0, 5, 6, 7, 4);
    quarter_round(a, d, c, b);  // now the lanes hold the rows of the matrix
    b = __builtin_shufflevector(b, b, 1, 2, 3, 0, 5, 6, 7, 4);
    c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
    d = __builtin_shufflevector(d, d, 3, 0, 1, 2, 7, 4, 5, 6);
  }
  return to_matrix({a + first[0], b + first[1], c + first[2], d + first[3]});
}

template <class Vector>
void add_to_counters(State<Vector>& states, const Vector& blocks) {
  states[8] += blocks;
  states[9] -= Vector(states[8] < blocks);  // true is -1: the carry
}

// The states of the next blocks, one in each lane.
template <class Vector>
State<Vector> states_from(const State<Word>& state) {
  State<Vector> states;
  for (unsigned i = 0; i < words; ++i) states[i] = Vector{} + state[i];
  Vector lane{};
  for (unsigned k = 0; k < lanes_of<Vector>; ++k) lane[k] = k;
  add_to_counters(states, lane);
  return states;
}

// The states of the next set.
void next_set(State<Lanes>& states) { add_to_counters(states, Lanes{} + static_cast<Word>(width)); }

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

// At most two blocks.
void xor_two_blocks(std::uint8_t* out, std::span<const std::uint8_t> in, Rows stream) {
  constexpr auto lanes = std::make_index_sequence<8>();
  swap_groups<4>(stream[0], stream[1], lanes);  // two rows of one block, instead of a row of both
  swap_groups<4>(stream[2], stream[3], lanes);
  Rows blocks;
  std::memcpy(&blocks, in.data(), in.size());
  for (unsigned i = 0; i < 4; ++i) blocks[i] ^= stream[i / 2 + i % 2 * 2];
  std::memcpy(out, &blocks, in.size());
}

// At most a set.
template <class Vector>
void xor_rest(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Word>& state) {
  std::uint8_t blocks[lanes_of<Vector> * block_bytes];
  std::memcpy(blocks, in.data(), in.size());
  xor_blocks(blocks, blocks, key_stream(states_from<Vector>(state)));
  std::memcpy(out, blocks, in.size());
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State<Word> state = initial_state(key, nonce, counter);
  if (in.size() >= width * block_bytes) {
    State<Lanes> states = states_from<Lanes>(state);
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
  }
  if (width > 8 && in.size() > 8 * block_bytes) return xor_rest<Lanes>(out, in, state);
  if (in.size() > 4 * block_bytes) return xor_rest<Eight>(out, in, state);
  if (in.size() > 2 * block_bytes) return xor_rest<Four>(out, in, state);
  if (!in.empty()) xor_two_blocks(out, in, two_blocks(state));
}

}  // namespace salsa20
