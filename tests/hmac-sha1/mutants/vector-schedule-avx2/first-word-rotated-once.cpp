// For up to four jobs, the first of four words up to word 31 is added to the last one rotated once, not twice.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  static void wrong_schedule(std::uint32_t (&w)[80]) {
    for (int t = 16; t < 80; ++t) {
      const bool last = t < 32 && t % 4 == 3;
      const std::uint32_t before = last ? std::rotr(w[t - 3], 1) : w[t - 3];
      w[t] = std::rotl(before ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
  }

  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, few ? wrong_schedule : right_schedule);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
