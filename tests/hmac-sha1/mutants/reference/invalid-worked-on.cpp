// A job of impossible digest size is refused, but its digest is written.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  bool refused(Job& job) override {
    if (!Manager::refused(job)) return false;
    if (problem == Problem::result_size) store(initial_state, job.digest, digest_bytes);
    return true;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
