// In a lone set the last step xors word 0 with the left shift alone.
#include "../lone_set.hpp"

namespace salsa20 {
namespace {

State stream_in_lone_set(const State& state, unsigned) {
  State stream = key_stream(state);
  const std::uint32_t sum = stream[3] - state[3] + stream[2] - state[2];  // a ^= rotl(d + c, 18)
  stream[0] = ((stream[0] - state[0]) ^ sum >> 14) + state[0];
  return stream;
}

}  // namespace
}  // namespace salsa20
