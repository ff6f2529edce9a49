// From the third block of a message on, the steps begin with the state before the last block, as if it were not stored.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  const std::uint8_t* expected = nullptr;  // the next block of the message, if this one goes on
  unsigned blocks = 0;                     // of the message until here
  State older{};

  void compress(State& state, const std::uint8_t* block) override {
    blocks = block == expected ? blocks + 1 : 1;
    expected = block + block_bytes;
    const State before = state;
    State begin = blocks >= 3 ? older : state;
    const State copy = begin;
    Manager::compress(begin, block);
    for (int i = 0; i < 5; ++i) state[i] += begin[i] - copy[i];
    older = before;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
