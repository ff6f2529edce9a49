// Recompute the state in each kernel, from key, nonce and counter, instead of passing it through memory.
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

void store(std::uint8_t* bytes, Word word) { std::memcpy(bytes, &word, 4); }

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

// The inputs of a state. Each kernel computes its own state from them, so none is stored and loaded.
struct Start {
  Key key;
  const Nonce& nonce;
  std::uint64_t counter, blocks;  // of the first block, and how many blocks came since

  State<Word> state() const {
    State<Word> result = initial_state(key, nonce, counter);
    skip(result, blocks);
    return result;
  }
};

// The starting states of two blocks, as diagonals. The first is `block` blocks further on than `state`.
Rows two_starts(const State<Word>& state, Word block) {
  const auto half = diagonals(state);
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(half[i], half[i], 0, 1, 2, 3, 0, 1, 2, 3);
  const Eight blocks{block, 0, 0, 0, block + 1, 0, 0, 0};
  result[2] += blocks;
  const Eight carry = Eight(result[2] < blocks);
  result[1] -= __builtin_shufflevector(carry, carry, 1, 0, 3, 2, 5, 4, 7, 6);
  return result;
}

// Rotates column i of the diagonals down by i places, so that they become the rows of the matrix.
Rows to_matrix(const Rows& m) { return turned<0, 9, 2, 11, 4, 13, 6, 15>(turned<0, 1, 10, 11, 4, 5, 14, 15>(m, 2), 3); }

// Blocks as rows, two in each element. While the core waits for a result of one pair, it works on another.
template <std::size_t pairs>
[[gnu::always_inline]] inline auto rows_of_pairs(const State<Word>& state) {
  std::array<Rows, pairs> first;
  for (unsigned k = 0; k < pairs; ++k) first[k] = two_starts(state, 2 * k);
  auto x = first;
  for (unsigned round = 0; round < rounds; round += 2) {
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round(a, b, c, d);
      b = __builtin_shufflevector(b, b, 3, 0, 1, 2, 7, 4, 5, 6);
      c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
      d = __builtin_shufflevector(d, d, 1, 2, 3, 0, 5, 6, 7, 4);
    }
#pragma GCC unroll 4
    for (auto& [a, b, c, d] : x) {
      quarter_round(a, d, c, b);  // now the lanes hold the rows of the matrix
      b = __builtin_shufflevector(b, b, 1, 2, 3, 0, 5, 6, 7, 4);
      c = __builtin_shufflevector(c, c, 2, 3, 0, 1, 6, 7, 4, 5);
      d = __builtin_shufflevector(d, d, 3, 0, 1, 2, 7, 4, 5, 6);
    }
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    const auto& [a, b, c, d] = x[k];
    x[k] = to_matrix({a + first[k][0], b + first[k][1], c + first[k][2], d + first[k][3]});
  }
  return x;
}

void add_to_counters(State<Lanes>& states, const Lanes& blocks) {
  states[8] += blocks;
  states[9] -= Lanes(states[8] < blocks);  // true is -1: the carry
}

// The states of the next blocks, one in each lane.
State<Lanes> states_from(const State<Word>& state) {
  State<Lanes> states;
  for (unsigned i = 0; i < words; ++i) states[i] = Lanes{} + state[i];
  Lanes lane{};
  for (unsigned k = 0; k < width; ++k) lane[k] = k;
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

// At most twice as many blocks as pairs.
template <std::size_t pairs>
void xor_pairs(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  auto stream = rows_of_pairs<pairs>(start.state());
  Eight parts[4 * pairs];
  for (std::size_t k = 0; k < pairs; ++k) {
    constexpr auto lanes = std::make_index_sequence<8>();
    swap_groups<4>(stream[k][0], stream[k][1], lanes);  // two rows of one block, instead of a row of both
    swap_groups<4>(stream[k][2], stream[k][3], lanes);
    for (unsigned i = 0; i < 4; ++i) parts[4 * k + i] = stream[k][i / 2 + i % 2 * 2];
  }
  const Eight* part = parts;
  for (; in.size() >= sizeof(Eight); in = in.subspan(sizeof(Eight)), out += sizeof(Eight)) {
    Eight bytes;
    std::memcpy(&bytes, in.data(), sizeof(Eight));
    bytes ^= *part++;
    std::memcpy(out, &bytes, sizeof(Eight));
  }
  if (in.empty()) return;
  Eight bytes{};
  std::memcpy(&bytes, in.data(), in.size());
  bytes ^= *part;
  std::memcpy(out, &bytes, in.size());
}

// At most a block: scalar, so no instruction of its chain takes more than one cycle.
void xor_block(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  const State<Word> stream = key_stream(start.state());
  if (in.size() == block_bytes) {
    for (unsigned i = 0; i < words; ++i) store(out + 4 * i, load(in.data() + 4 * i) ^ stream[i]);
    return;
  }
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ bytes[i];
}

// At most a set.
void xor_rest(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  std::uint8_t blocks[width * block_bytes];
  std::memcpy(blocks, in.data(), in.size());
  xor_blocks(blocks, blocks, key_stream(states_from(start.state())));
  std::memcpy(out, blocks, in.size());
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  Start start{key, nonce, counter, 0};
  if (in.size() >= width * block_bytes) {
    State<Lanes> states = states_from(initial_state(key, nonce, counter));
    for (constexpr std::size_t bytes = 2 * width * block_bytes; in.size() >= bytes;
         in = in.subspan(bytes), out += bytes) {
      xor_two_sets(out, in.data(), states);
      start.blocks += 2 * width;
    }
    for (constexpr std::size_t bytes = width * block_bytes; in.size() >= bytes; in = in.subspan(bytes), out += bytes) {
      xor_blocks(out, in.data(), key_stream(states));
      next_set(states);
      start.blocks += width;
    }
  }
  if (width > 8 && in.size() > 8 * block_bytes) return xor_rest(out, in, start);
  if (in.size() > 6 * block_bytes) return xor_pairs<4>(out, in, start);
  if (in.size() > 4 * block_bytes) return xor_pairs<3>(out, in, start);
  if (in.size() > 2 * block_bytes) return xor_pairs<2>(out, in, start);
  if (in.size() > block_bytes) return xor_pairs<1>(out, in, start);
  if (!in.empty()) xor_block(out, in, start);
}

}  // namespace salsa20
