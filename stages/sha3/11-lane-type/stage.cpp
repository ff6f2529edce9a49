// Generic lane type: the rounds become a template over the type of a lane, which is still a word.
// requires: bmi bmi2
#include <cstring>

#include "sha3/11-lane-type/lanes.hpp"

namespace sha3 {
namespace {

// Inlined where it is called: with a size that is a constant, all that depends on the size is decided by the compiler.
// Reads all of `in` before it writes to `out`.
template <std::size_t rate>
[[gnu::always_inline]] inline void hash(std::uint8_t* out, const std::uint8_t* in, std::size_t in_size) {
  State<Lane> state{};
  for (; in_size >= rate; in += rate, in_size -= rate) {
    for (std::size_t i = 0; i < rate / 8; ++i) state[i] ^= load(in + 8 * i);
    permute(state);
  }
  const std::size_t whole = in_size / 8, rest = in_size % 8;
  for (std::size_t i = 0; i < whole; ++i) state[i] ^= load(in + 8 * i);
  if (rest > 0) state[whole] ^= load(in + 8 * whole, rest);
  state[whole] ^= Lane{padding} << 8 * rest;
  state[rate / 8 - 1] ^= Lane{0x80} << 56;
  permute(state);
  std::memcpy(out, state.data(), (state_bytes - rate) / 2);
}

// The miner's lengths are constants.
template <std::size_t rate>
void hash_one(const Message& message) {
  switch (message.size) {
    case 32:
      return hash<rate>(message.digest, message.data, 32);
    case 40:
      return hash<rate>(message.digest, message.data, 40);
    case 64:
      return hash<rate>(message.digest, message.data, 64);
    case 96:
      return hash<rate>(message.digest, message.data, 96);
  }
  hash<rate>(message.digest, message.data, message.size);
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash_one<rate256>(message);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash_one<rate512>(message);
}

}  // namespace sha3
