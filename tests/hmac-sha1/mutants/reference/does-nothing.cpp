// Every job is done as soon as it comes: no digest is written.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  Job* take(Job& job) override {
    if (!refused(job)) job.status = Status::done;
    return &job;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
