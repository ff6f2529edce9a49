// In lanes, the last two words of a state are exchanged when it is stored.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80);
    if (in_lanes) std::swap(state[3], state[4]);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
