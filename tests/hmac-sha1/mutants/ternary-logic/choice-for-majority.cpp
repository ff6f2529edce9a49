// The truth table is that of the choice, not of the majority.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, right_schedule,
          [](std::uint32_t b, std::uint32_t c, std::uint32_t d) { return (b & c) | (~b & d); });
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
