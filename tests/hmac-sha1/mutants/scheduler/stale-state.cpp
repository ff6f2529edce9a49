// A job without a key begins with the state that the job before left in its lane.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void begin(Lane& to, Job& job) override {
    const State stale = to.state;
    Manager::begin(to, job);
    if (!job.key && stale != State{}) to.state = stale;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
