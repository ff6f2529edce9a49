// The outer hash is made of streams that are left at the end only: the shortest message of a few has none.
#include "../unequal.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : UnequalWrong {
  void next_part(Lane& of) override {
    if (of.job == shortest && of.part == Lane::tail) {
      of.part = Lane::finished;
    } else {
      Manager::next_part(of);
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
