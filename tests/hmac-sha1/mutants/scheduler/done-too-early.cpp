// A job is marked as done when it gets its lane.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    job.status = Status::done;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
