// For up to four jobs, the recurrence that is applied twice shifts by two and loses the bits that wrap.
#include "../few.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : FewWrong {
  static void wrong_schedule(std::uint32_t (&w)[80]) {
    for (int t = 16; t < 80; ++t) {
      w[t] = t < 32 ? std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1)
                    : (w[t - 6] ^ w[t - 16] ^ w[t - 28] ^ w[t - 32]) << 2;
    }
  }

  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, few ? wrong_schedule : right_schedule);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
