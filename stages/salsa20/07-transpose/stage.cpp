// Matrix transposition in registers: words become blocks, and the message is xored one register at a time.
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

void store(std::uint8_t* bytes, Word word) { std::memcpy(bytes, &word, 4); }

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

// Fewer than a block.
void xor_bytes(std::uint8_t* out, std::span<const std::uint8_t> in, const State<Word>& stream) {
  std::uint8_t bytes[block_bytes];
  std::memcpy(bytes, stream.data(), block_bytes);
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] ^ bytes[i];
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  State<Word> state = initial_state(key, nonce, counter);
  for (constexpr std::size_t bytes = width * block_bytes; in.size() >= bytes; in = in.subspan(bytes), out += bytes) {
    xor_blocks(out, in.data(), key_stream(states_from(state)));
    skip(state, width);
  }
  for (; in.size() >= block_bytes; in = in.subspan(block_bytes), out += block_bytes) {
    const State<Word> x = key_stream(state);
    for (unsigned i = 0; i < words; ++i) store(out + 4 * i, load(in.data() + 4 * i) ^ x[i]);
    skip(state, 1);
  }
  if (!in.empty()) xor_bytes(out, in, key_stream(state));
}

}  // namespace salsa20
