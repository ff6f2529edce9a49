// The latest four words are kept only where they were computed: words 16 to 18 do not look back on words 13 to 15.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    steps(state, block, 80, [](std::uint32_t(&w)[80]) {
      for (int t = 16; t < 80; ++t) {
        w[t] = std::rotl((t < 19 ? 0 : w[t - 3]) ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
      }
    });
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
