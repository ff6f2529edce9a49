// For up to four jobs, the recurrence that is applied twice rotates by one.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  void compress(State& state, const std::uint8_t* block) override {
    if (!few) return Manager::compress(state, block);
    steps(state, block, 80, [](std::uint32_t(&w)[80]) {
      for (int t = 16; t < 80; ++t) {
        w[t] = std::rotl(
            t < 32 ? w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16] : w[t - 6] ^ w[t - 16] ^ w[t - 28] ^ w[t - 32], 1);
      }
    });
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
