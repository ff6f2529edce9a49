// A message without whole blocks is taken for one whose end has been hashed.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void begin(Lane& to, Job& job) override {
    Manager::begin(to, job);
    if (to.left == 0) to.part = Lane::tail;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
