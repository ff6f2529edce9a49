// In lanes, bytes are swapped before the barrier and behind it.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  static void wrong_schedule(std::uint32_t (&w)[80]) {
    for (int t = 0; t < 16; ++t) w[t] = __builtin_bswap32(w[t]);
    right_schedule(w);
  }
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, in_lanes ? wrong_schedule : right_schedule);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
