// Two xors in place of an or and an xor in the steps of a set that is alone, or has a block beside it.
// requires: x86-64-v3
// until: x86-64-v3
// variants: other-core
#include <algorithm>

#include "salsa20/07-transpose/transpose.hpp"
#include "salsa20/20-cpu-dispatch/limit.hpp"
#include "salsa20/21-set-and-block/few_blocks.hpp"
#include "salsa20/22-two-xors/few_blocks.hpp"
#include "salsa20/23-rows-of-one-block/one_block.hpp"
#include "salsa20/24-state-in-memory/rounds_in_memory.hpp"
#include "salsa20/25-sets-by-two-xors/key_streams.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

constexpr std::size_t width = 8, set_bytes = width * block_bytes;
using Lanes [[gnu::vector_size(4 * width)]] = Word;  // the same word of that many blocks

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
  Sets<Lanes> sets;
  for (unsigned i = 0; i < words; ++i) sets[0][i] = sets[1][i] = states[i];
  next_set(sets[1]);
  rounds_in_memory(sets);
  for (State<Lanes>& set : sets) {
    for (unsigned i = 0; i < words; ++i) set[i] += states[i];
    next_set(states);
    xor_blocks(out, in, set);
    out += set_bytes, in += set_bytes;
  }
}

// A set, and a block or a part of it.
[[gnu::noinline]] void xor_set_and_block(std::uint8_t* out, std::span<const std::uint8_t> in, const Start& start) {
  State<Word> block = start.state();
  State<Lanes> set = states_from(block);
  skip(block, width);
  key_streams_of_set_and_block(set, block);
  xor_last_block(out + set_bytes, in.subspan(set_bytes), block);
  xor_blocks(out, in.data(), set);
}

// The blocks after whole sets go to the first kernel with enough blocks. Trials on Zen 5 with GCC chose the limits for
// the kernels of stage measured-crossovers. They were not measured again for these kernels.
struct Kernel {
  std::size_t blocks;
  void (*crypt)(std::uint8_t*, std::span<const std::uint8_t>, const Start&);
};
constexpr Kernel kernels[] = {
    {1, xor_rows_of_block}, {2, xor_by_rows<1>}, {4, xor_by_rows<2>}, {6, xor_by_rows<3>}, {8, xor_by_rows<4>}};

// How many of the `rest` blocks after whole sets go beside a set each: all or none. In trials on Zen 3, three blocks or
// more were faster as rows.
std::size_t blocks_beside(std::size_t sets, std::size_t rest) {
  return rest <= std::min<std::size_t>(sets, 2) ? rest : 0;
}

// Each set is followed by a block. The last block may be a part.
[[gnu::noinline]] void xor_sets_and_blocks(std::uint8_t* out, std::span<const std::uint8_t> in, Start start) {
  while (!in.empty()) {
    const std::size_t bytes = std::min(in.size(), set_bytes + block_bytes);
    xor_set_and_block(out, in.first(bytes), start);
    in = in.subspan(bytes), out += bytes;
    start.blocks += bytes / block_bytes;
  }
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  Start start{key, nonce, counter, 0};
  if (in.size() >= set_bytes) {
    const std::size_t rest = in.size() % set_bytes;
    const std::size_t beside = blocks_beside(in.size() / set_bytes, (rest + block_bytes - 1) / block_bytes);
    // Bytes that are kept for sets with a block beside each.
    const std::size_t held = beside == 0 ? 0 : beside * set_bytes + rest;
    if (in.size() >= set_bytes + held) {
      State<Lanes> states = states_from(initial_state(key, nonce, counter));
      for (; in.size() >= 2 * set_bytes + held; in = in.subspan(2 * set_bytes), out += 2 * set_bytes) {
        xor_two_sets(out, in.data(), states);
        start.blocks += 2 * width;
      }
      for (; in.size() >= set_bytes + held; in = in.subspan(set_bytes), out += set_bytes) {
        xor_blocks(out, in.data(), key_stream_of_set(states));
        next_set(states);
        start.blocks += width;
      }
    }
    if (beside != 0) return xor_sets_and_blocks(out, in, start);
  }
  if (in.empty()) return;
  const std::size_t blocks = (in.size() - 1) / block_bytes + 1;
  if (blocks <= scalar_blocks) return xor_block(out, in, start);
  for (const auto& [most, kernel] : kernels) {
    if (blocks <= most) return kernel(out, in, start);
  }
}

}  // namespace salsa20
