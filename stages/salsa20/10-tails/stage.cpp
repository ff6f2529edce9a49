// Pad the tail: the bytes left over are processed as a whole set, in a buffer.
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
struct Pair {
  Lanes a, b;  // of two sets
};
Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
Pair operator|(Pair x, Pair y) { return {x.a | y.a, x.b | y.b}; }
Pair operator<<(Pair x, unsigned n) { return {x.a << n, x.b << n}; }
Pair operator>>(Pair x, unsigned n) { return {x.a >> n, x.b >> n}; }
Pair& operator+=(Pair& x, Pair y) { return x = x + y; }
Pair& operator^=(Pair& x, Pair y) { return x = {x.a ^ y.a, x.b ^ y.b}; }

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

// At most a set.
void xor_rest(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Lanes>& states) {
  std::uint8_t blocks[width * block_bytes];
  std::memcpy(blocks, in.data(), in.size());
  xor_blocks(blocks, blocks, key_stream(states));
  std::memcpy(out, blocks, in.size());
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State<Lanes> states = states_from(initial_state(key, nonce, counter));
  for (constexpr std::size_t bytes = 2 * width * block_bytes; in.size() >= bytes;
       in = in.subspan(bytes), out += bytes) {
    xor_two_sets(out, in.data(), states);
  }
  for (constexpr std::size_t bytes = width * block_bytes; in.size() >= bytes; in = in.subspan(bytes), out += bytes) {
    xor_blocks(out, in.data(), key_stream(states));
    next_set(states);
  }
  if (!in.empty()) xor_rest(out, in, states);
}

}  // namespace salsa20
