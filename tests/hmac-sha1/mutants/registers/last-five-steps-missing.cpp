// The unrolled loop ends five steps early.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override { steps(state, block, 75); }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
