// In the last round of a lone set the first two quarter-rounds are done twice, in place of the other two.
#include "../lone_set.hpp"

namespace salsa20 {
namespace {

State stream_in_lone_set(const State& state, unsigned) {
  State x = state;
  for (unsigned round = 0; round < rounds - 2; round += 2) double_round(x);
  for (unsigned i = 0; i < 4; ++i) quarter_round(x, {5 * i, (5 * i + 4) % 16, (5 * i + 8) % 16, (5 * i + 12) % 16});
  for (const unsigned i : {0U, 1U, 0U, 1U}) {
    quarter_round(x, {4 * i + i, 4 * i + (i + 1) % 4, 4 * i + (i + 2) % 4, 4 * i + (i + 3) % 4});
  }
  for (unsigned i = 0; i < words; ++i) x[i] += state[i];
  return x;
}

}  // namespace
}  // namespace salsa20
