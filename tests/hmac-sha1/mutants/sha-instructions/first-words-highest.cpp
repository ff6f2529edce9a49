// The words of a block are taken in reverse order in each four.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override {
    std::uint8_t reversed[block_bytes];
    for (std::size_t i = 0; i < block_bytes; ++i) reversed[i] = block[i / 16 * 16 + (12 - i % 16 / 4 * 4) + i % 4];
    steps(state, reversed, 80);
  }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
