// 12 A few blocks go into vectors no wider than they need.
// requires: x86-64-v3
#include <bit>
#include <cstring>
#include <utility>

#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using Word = std::uint32_t;
using Four [[gnu::vector_size(16)]] = Word;  // the same word of so many blocks
using Eight [[gnu::vector_size(32)]] = Word;
#ifdef __AVX512F__
using Widest [[gnu::vector_size(64)]] = Word;
#else
using Widest = Eight;
#endif
template <class Lanes>
constexpr std::size_t width = sizeof(Lanes) / sizeof(Word);
struct Pair {
  Widest a, b;  // of two sets
};
Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
Pair operator|(Pair x, Pair y) { return {x.a | y.a, x.b | y.b}; }
Pair operator<<(Pair x, unsigned n) { return {x.a << n, x.b << n}; }
Pair operator>>(Pair x, unsigned n) { return {x.a >> n, x.b >> n}; }
Pair& operator+=(Pair& x, Pair y) { return x = x + y; }
Pair& operator^=(Pair& x, Pair y) { return x = {x.a ^ y.a, x.b ^ y.b}; }

using Rows = std::array<Four, 4>;  // or the four words of so many rows
template <class AnyWord>
using State = std::array<AnyWord, words>;

Word load(const void* bytes) {
  Word word;
  std::memcpy(&word, bytes, 4);
  return word;
}

// A 4 x 4 matrix of words: constants on its diagonal, the key before and behind nonce and counter.
State<Word> initial_state(Key key, const Nonce& nonce, std::uint64_t counter) {
  const char* constant = key.size() == 32 ? "expand 32-byte k" : "expand 16-byte k";
  const std::uint8_t* second = key.data() + key.size() - 16;  // a short key stands there twice
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

template <class AnyWord>
[[gnu::always_inline]] inline AnyWord rotl(AnyWord word, unsigned n) {
  return word << n | word >> (32 - n);
}

template <class AnyWord>
[[gnu::always_inline]] inline void quarter_round(AnyWord& a, AnyWord& b, AnyWord& c, AnyWord& d) {
  b ^= rotl(a + d, 7);
  c ^= rotl(b + a, 9);
  d ^= rotl(c + b, 13);
  a ^= rotl(d + c, 18);
}

// The blocks of the key stream that begin with the states `start`.
template <class AnyWord>
[[gnu::always_inline]] inline State<AnyWord> key_stream(const State<AnyWord>& start) {
  State<AnyWord> x = start;
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

template <int... lane>
Rows turned(const Rows& m, unsigned by) {
  Rows result;
  for (unsigned i = 0; i < 4; ++i) result[i] = __builtin_shufflevector(m[i], m[(i + by) % 4], lane...);
  return result;
}

// Column i of the matrix turned up by i places: its diagonals become its rows. And back.
Rows to_diagonals(const Rows& m) { return turned<0, 1, 6, 7>(turned<0, 5, 2, 7>(m, 1), 2); }
Rows to_matrix(const Rows& m) { return turned<0, 5, 2, 7>(turned<0, 1, 6, 7>(m, 2), 3); }

// One block: its quarter-rounds lie side by side.
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

void skip(State<Word>& state, std::uint64_t blocks) {
  const std::uint64_t counter = (state[8] | std::uint64_t{state[9]} << 32) + blocks;
  state[8] = static_cast<Word>(counter);
  state[9] = static_cast<Word>(counter >> 32);
}

// The states of the next blocks, one in each lane.
template <class Lanes>
State<Lanes> states_from(State<Word> state) {
  State<Lanes> states;
  for (unsigned i = 0; i < words; ++i) states[i] = Lanes{} + state[i];
  for (unsigned k = 0; k < width<Lanes>; ++k) {
    states[8][k] = state[8];
    states[9][k] = state[9];
    skip(state, 1);
  }
  return states;
}

// The states of the blocks after those.
void next_set(State<Widest>& states) {
  states[8] += static_cast<Word>(width<Widest>);
  states[9] -= Widest(states[8] < static_cast<Word>(width<Widest>));  // where it is true it is -1: the carry
}

// Swaps the odd groups of `span` words in `a` with the even groups in `b`.
template <std::size_t span, class Lanes, std::size_t... i>
[[gnu::always_inline]] inline void swap_groups(Lanes& a, Lanes& b, std::index_sequence<i...>) {
  const Lanes even = __builtin_shufflevector(a, b, (i & span ? width<Lanes> + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? width<Lanes> + i : i + span)...);
  a = even;
}

// Every square of `width` rows of as many words is mirrored at its diagonal.
template <std::size_t span = 1, class Lanes>
[[gnu::always_inline]] inline void transpose(State<Lanes>& rows) {
  if constexpr (span < width<Lanes>) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < words; ++i) {
      if (!(i & span)) swap_groups<span>(rows[i], rows[i + span], std::make_index_sequence<width<Lanes>>());
    }
    transpose<2 * span>(rows);
  }
}

template <class Lanes>
[[gnu::always_inline]] inline void xor_blocks(std::uint8_t* out, const std::uint8_t* in, State<Lanes> stream) {
  transpose(stream);
#pragma GCC unroll 16
  for (unsigned i = 0; i < words; ++i) {  // each is now a part of one block
    const std::size_t place = block_bytes * (i % width<Lanes>)+i / width<Lanes> * sizeof(Lanes);
    Lanes part;
    std::memcpy(&part, in + place, sizeof(Lanes));
    part ^= stream[i];
    std::memcpy(out + place, &part, sizeof(Lanes));
  }
}

[[gnu::always_inline]] inline void xor_two_sets(std::uint8_t* out, const std::uint8_t* in, State<Widest>& states) {
  State<Pair> pairs;
  for (unsigned i = 0; i < words; ++i) pairs[i].a = states[i];
  next_set(states);
  for (unsigned i = 0; i < words; ++i) pairs[i].b = states[i];
  next_set(states);
  pairs = key_stream(pairs);
  State<Widest> first, second;
  for (unsigned i = 0; i < words; ++i) first[i] = pairs[i].a;
  for (unsigned i = 0; i < words; ++i) second[i] = pairs[i].b;
  xor_blocks(out, in, first);
  xor_blocks(out + width<Widest> * block_bytes, in + width<Widest> * block_bytes, second);
}

// At most a block.
void xor_bytes(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Word>& stream) {
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ bytes[i];
}

// At most a set.
template <class Lanes>
void xor_rest(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Word>& state) {
  std::uint8_t blocks[width<Lanes> * block_bytes];
  std::memcpy(blocks, in.data(), in.size());
  xor_blocks(blocks, blocks, key_stream(states_from<Lanes>(state)));
  std::memcpy(out, blocks, in.size());
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State<Word> state = initial_state(key, nonce, counter);
  if (constexpr std::size_t set = width<Widest>, bytes = set * block_bytes; in.size() >= bytes) {
    State<Widest> states = states_from<Widest>(state);
    for (; in.size() >= 2 * bytes; in = in.subspan(2 * bytes), out += 2 * bytes) {
      xor_two_sets(out, in.data(), states);
      skip(state, 2 * set);
    }
    for (; in.size() >= bytes; in = in.subspan(bytes), out += bytes) {
      xor_blocks(out, in.data(), key_stream(states));
      next_set(states);
      skip(state, set);
    }
  }
  if (in.size() > width<Eight> * block_bytes) return xor_rest<Widest>(out, in, state);
  if (in.size() > width<Four> * block_bytes) return xor_rest<Eight>(out, in, state);
  if (in.size() > block_bytes) return xor_rest<Four>(out, in, state);
  if (!in.empty()) xor_bytes(out, in, key_stream(state));
}

}  // namespace salsa20
