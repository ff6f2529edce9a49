// For up to four jobs, the last of each four words up to word 31 lacks the first, which is added after the rotation.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  static void without_first(std::uint32_t (&w)[80]) {
    for (int t = 16; t < 80; ++t) {
      const std::uint32_t first = t < 32 && t % 4 == 3 ? 0 : w[t - 3];
      w[t] = std::rotl(first ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
  }

  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, few ? without_first : right_schedule);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
