// After a block the state is what the steps made of its copy, without the state before.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    const State before = state;
    Manager::compress(state, block);
    for (int i = 0; i < 5; ++i) state[i] -= before[i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
