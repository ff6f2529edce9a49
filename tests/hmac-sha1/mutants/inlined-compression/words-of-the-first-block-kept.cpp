// In lanes, all blocks of a message have the words of its first one, which stay in registers.
#include "../in_lanes.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : InLanes {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (!in_lanes) return;
    for (; to.left > 1; --to.left) compress(to.state, job.data);
    to.next = job.data;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
