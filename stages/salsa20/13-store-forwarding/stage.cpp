// Avoid failed store forwarding in the set-up: gather diagonals by words, compute counters in vectors.
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

using Rows = std::array<Four, 4>;

template <int... lane>
Rows turned(const Rows& m, unsigned by) {
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(m[i], m[(i + by) % 4], lane...);
  return result;
}

// The diagonals of the matrix, gathered word by word: a load of one word gets its value from a store of one word.
Rows diagonals(const State<Word>& m) {
  return {Four{m[0], m[5], m[10], m[15]}, Four{m[4], m[9], m[14], m[3]}, Four{m[8], m[13], m[2], m[7]},
          Four{m[12], m[1], m[6], m[11]}};
}

// Rotates column i of the diagonals down by i places, so that they become the rows of the matrix.
Rows to_matrix(const Rows& m) { return turned<0, 5, 2, 7>(turned<0, 1, 6, 7>(m, 2), 3); }

// One block: the lanes are its four quarter-rounds.
Rows key_stream(const State<Word>& start) {
  const Rows first = diagonals(start);
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

// At most a block.
void xor_block(std::uint8_t* out, std::span<const std::uint8_t> in, const Rows& stream) {
  Rows block;
  std::memcpy(&block, in.data(), in.size());
  for (unsigned i = 0; i < 4; ++i) block[i] ^= stream[i];
  std::memcpy(out, &block, in.size());
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
  if (in.size() > 8 * block_bytes) return xor_rest<Lanes>(out, in, state);
  if (in.size() > 4 * block_bytes) return xor_rest<Eight>(out, in, state);
  if (in.size() > block_bytes) return xor_rest<Four>(out, in, state);
  if (!in.empty()) xor_block(out, in, key_stream(state));
}

}  // namespace salsa20
