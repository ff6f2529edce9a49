// The state is copied to one place for all threads, which is right as long as one works at a time.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    static State shared;
    shared = state;
    Manager::compress(shared, block);
    state = shared;
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
