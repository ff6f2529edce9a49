// In lanes, the second and the third four words of a block are exchanged.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  void compress(State& state, const std::uint8_t* block) override {
    std::uint8_t loaded[block_bytes];
    std::memcpy(loaded, block, block_bytes);
    if (in_lanes) std::swap_ranges(loaded + 16, loaded + 32, loaded + 32);
    steps(state, loaded, 80);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
