// The inner hash is taken for the whole.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void next_part(Lane& of) override {
    if (of.part == Lane::tail) {
      of.part = Lane::finished;
    } else {
      Manager::next_part(of);
    }
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
