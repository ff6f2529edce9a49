// Keys, padding and digests are vectorised, too: keys and digests are transposed, and padding is prepared once.
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/10-wider-vectors/widest.hpp"
#include "hmac-sha1/14-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
