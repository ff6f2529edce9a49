// In lanes, the state before a block is not added to the one after it.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  void compress(State& state, const std::uint8_t* block) override {
    const State before = state;
    steps(state, block, 80);
    if (!in_lanes) return;
    for (int i = 0; i < 5; ++i) state[i] -= before[i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
