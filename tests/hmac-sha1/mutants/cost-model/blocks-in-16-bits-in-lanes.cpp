// In a batch of more than sixteen jobs, lanes count blocks in 16 bits.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Narrow : InLanes {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (in_lanes) to.left = static_cast<std::uint16_t>(to.left);
  }
};

}  // namespace

Manager* make_manager() { return new Narrow; }

}  // namespace hmac_sha1
