// CPU dispatch: CPUID tells whether scalar code or vectors take less time for a single block.
// requires: x86-64-v4
// variants: other-core
#include "salsa20/19-rows-of-four-blocks/rows.hpp"
#include "salsa20/20-cpu-dispatch/limit.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

using Lanes = Sixteen;  // the same word of that many blocks
constexpr std::size_t width = lanes_of<Lanes>;

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

// At most as many blocks as `elements` hold.
template <class Vector, std::size_t elements>
void xor_rows(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  auto stream = rows_of_blocks<Vector, elements>(start.state());
  Vector parts[4 * elements];
  for (std::size_t k = 0; k < elements; ++k) {
    auto& m = stream[k];
    constexpr auto lanes = std::make_index_sequence<lanes_of<Vector>>();
    swap_groups<4>(m[0], m[1], lanes);  // two rows of half of the blocks, instead of a row of all
    swap_groups<4>(m[2], m[3], lanes);
    if constexpr (blocks_of<Vector> == 4) {
      swap_groups<8>(m[0], m[2], lanes);  // a block, instead of two rows of two
      swap_groups<8>(m[1], m[3], lanes);
    }
    constexpr std::size_t in_block = block_bytes / sizeof(Vector);
    for (unsigned i = 0; i < 4; ++i) parts[4 * k + i] = m[i / in_block + i % in_block * blocks_of<Vector>];
  }
  const Vector* part = parts;
  for (; in.size() >= sizeof(Vector); in = in.subspan(sizeof(Vector)), out += sizeof(Vector)) {
    Vector bytes;
    std::memcpy(&bytes, in.data(), sizeof(Vector));
    bytes ^= *part++;
    std::memcpy(out, &bytes, sizeof(Vector));
  }
  if (in.empty()) return;
  Vector bytes{};
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

// The blocks after whole sets go to the first kernel with enough blocks, but a single one may go to scalar code. Trials
// with GCC chose the limits: on Zen 5 those of pairs, on Emerald Rapids those of 64-byte rows.
struct Kernel {
  std::size_t blocks;
  void (*crypt)(std::uint8_t*, std::span<const std::uint8_t>, const Start&);
};
constexpr Kernel kernels[] = {{2, xor_rows<Eight, 1>},   {4, xor_rows<Sixteen, 1>},  {6, xor_rows<Eight, 3>},
                              {8, xor_rows<Sixteen, 2>}, {12, xor_rows<Sixteen, 3>}, {width, xor_rest}};

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
  if (in.empty()) return;
  const std::size_t blocks = (in.size() - 1) / block_bytes + 1;
  if (blocks <= scalar_blocks) return xor_block(out, in, start);
  for (const auto& [most, kernel] : kernels) {
    if (blocks <= most) return kernel(out, in, start);
  }
}

}  // namespace salsa20
