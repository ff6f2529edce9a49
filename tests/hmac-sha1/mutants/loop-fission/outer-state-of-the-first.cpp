// The outer hashes of all jobs that are worked on together begin with the key of the first.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void next_part(Lane& of) override {
    Manager::next_part(of);
    const Job* const first = lane[0].job;
    if (of.part == Lane::outer && first && first->key) of.state = first->key->outer;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
