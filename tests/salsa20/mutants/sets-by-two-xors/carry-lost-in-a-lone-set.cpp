// All blocks of a lone set have the high word of the counter of the first one.
#include "../lone_set.hpp"

namespace salsa20 {
namespace {

State stream_in_lone_set(const State& state, unsigned number) {
  State wrong = state;
  if (wrong[8] < number) --wrong[9];
  return key_stream(wrong);
}

}  // namespace
}  // namespace salsa20
