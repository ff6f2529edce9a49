// The stream of the shortest message of a few does not keep its state while the next one goes on.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void next_part(Lane& of) override {
    if (of.job == shortest && of.part == Lane::tail) compress(of.state, of.bytes);
    Manager::next_part(of);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
