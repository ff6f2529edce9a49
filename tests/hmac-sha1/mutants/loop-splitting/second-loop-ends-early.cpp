// The second loop ends a block early: the last whole block of a message is left out, if others of a few are shorter.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (shortest && to.left > blocks_of(*shortest)) --to.left;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
