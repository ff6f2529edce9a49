// The last step is missing.
#include "../manager.hpp"

namespace hmac_sha1 {
namespace {

struct Mutant : Manager {
  void compress(State& state, const std::uint8_t* block) override { steps(state, block, 79); }
};

}  // namespace

Manager* make_manager() { return new Mutant; }

}  // namespace hmac_sha1
