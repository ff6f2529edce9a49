// Loads interleaved with the steps: a block is loaded and transposed four words at a time, between the steps that need
// them.
// requires: x86-64-v4
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/24-interleaved-loads/fours.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes, Fours<>>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
