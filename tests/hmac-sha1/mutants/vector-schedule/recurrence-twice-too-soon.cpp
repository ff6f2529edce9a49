// The recurrence is applied twice from word 28 on, four words too soon: there are no words before the first.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, [](std::uint32_t(&w)[80]) {
      for (int t = 16; t < 80; ++t) {
        w[t] = t < 28 ? std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1)
                      : std::rotl(w[t - 6] ^ w[t - 16] ^ w[t - 28] ^ (t < 32 ? 0 : w[t - 32]), 2);
      }
    });
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
