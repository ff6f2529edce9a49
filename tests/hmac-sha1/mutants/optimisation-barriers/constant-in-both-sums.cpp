// In lanes, the constant of the second quarter is in the early sum and in the late one.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  static void wrong_schedule(std::uint32_t (&w)[80]) {
    right_schedule(w);
    for (int t = 20; t < 40; ++t) w[t] += 0x6ED9EBA1;
  }
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, in_lanes ? wrong_schedule : right_schedule);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
