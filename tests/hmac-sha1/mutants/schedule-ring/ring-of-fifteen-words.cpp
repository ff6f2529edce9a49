// The ring of the schedule is one word too short: the oldest word is that of fifteen steps ago.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, [](std::uint32_t(&w)[80]) {
      for (int t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 15], 1);
    });
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
