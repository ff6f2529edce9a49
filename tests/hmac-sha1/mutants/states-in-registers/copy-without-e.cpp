// The copy of a state that a block begins with lacks its fifth word.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    State copy = state;
    copy[4] = 0;
    State sum = copy;
    Manager::compress(sum, block);
    for (int i = 0; i < 5; ++i) state[i] += sum[i] - copy[i];
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
