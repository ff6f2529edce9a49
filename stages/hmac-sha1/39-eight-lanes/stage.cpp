// Loads interleaved with the steps, in eight lanes of AVX2: four words at a time are loaded and transposed.
// requires: x86-64-v3
// until: x86-64-v3
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/39-eight-lanes/fours_of_eight.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, LaneProcessor<EightLanes, FoursOfEight>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
