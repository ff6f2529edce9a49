// In vectors of four words of the schedule, the fourth lacks the first one of its own vector.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, [](std::uint32_t(&w)[80]) {
      for (int t = 16; t < 80; ++t) {
        const std::uint32_t three_back = t < 32 && t % 4 == 3 ? 0 : w[t - 3];
        w[t] = std::rotl(three_back ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
      }
    });
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
