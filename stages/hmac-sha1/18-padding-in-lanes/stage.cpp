// Padding is vectorised, too: it is prepared once, and lengths are blended into the last blocks.
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
