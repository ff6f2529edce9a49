// In lanes, the early sum of the last step has the word of the step before.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  static void wrong_schedule(std::uint32_t (&w)[80]) {
    right_schedule(w);
    w[79] = w[78];
  }
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, in_lanes ? wrong_schedule : right_schedule);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
