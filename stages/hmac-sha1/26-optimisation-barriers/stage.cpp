// Optimisation barriers: early operands are summed first, and transposition and byte swap stay separate.
// requires: x86-64-v4
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/21-ternary-logic/ternary_logic.hpp"
#include "hmac-sha1/24-interleaved-loads/fours.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

// The compiler cannot see how x was computed, so it cannot merge that with what follows.
[[gnu::always_inline]] inline void barrier(Lanes& x) { asm("" : "+v"(x)); }

struct Barriers : TernaryLogic {
  [[gnu::always_inline]] static Lanes early_sum(Lanes sum) {
    barrier(sum);
    return sum;
  }
  [[gnu::always_inline]] static void transposed(Lanes& row) { barrier(row); }
};

}  // namespace

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes, Fours<Barriers>>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
