// The last problem is in one place for all managers.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

Problem last = Problem::none;

struct Mutant : Manager {
  Mutant() { problem = last; }
  bool refused(Job& job) override {
    const bool invalid = Manager::refused(job);
    if (invalid) last = problem;
    problem = last;
    return invalid;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
