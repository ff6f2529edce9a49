// Where all lanes are busy, the second gives out the state of the third.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void finish(Lane& of) override {
    if (busy() == lanes && &of == &lane[1]) of.state = lane[2].state;
    Manager::finish(of);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
