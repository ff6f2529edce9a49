// Function inlining: the compression is part of the loop over blocks, so words of a block need not pass through memory.
// requires: x86-64-v4
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/21-ternary-logic/ternary_logic.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct InlinedBlocks {
  using Operations = TernaryLogic;

  [[gnu::always_inline]] static void absorb(StateOf<Lanes>& state, const std::uint8_t* const* at, auto finish) {
    BlockOf<Lanes> w = load_reversed<Lanes>(at);
    finish(w);
    eighty_steps(state, w, [](int) {}, Operations{});
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes, InlinedBlocks>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
