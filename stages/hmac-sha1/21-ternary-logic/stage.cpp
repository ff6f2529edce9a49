// Ternary logic: one AVX-512 instruction (vpternlogd) computes the majority of three words; compilers use two.
// requires: x86-64-v4
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/21-ternary-logic/ternary_logic.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes, WholeBlocks<TernaryLogic>>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
