// An invalid job is never handed back.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  Job* take(Job& job) override { return refused(job) ? nullptr : Manager::take(job); }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
