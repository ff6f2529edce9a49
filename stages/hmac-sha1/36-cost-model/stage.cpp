// Cost model: jobs that are left over go in streams or in lanes, whichever takes fewer cycles by their lengths.
// requires: x86-64-v4 sha
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/24-interleaved-loads/fours.hpp"
#include "hmac-sha1/26-optimisation-barriers/barriers.hpp"
#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"
#include "hmac-sha1/36-cost-model/by_cost.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, ByCost<Lanes, Fours<Barriers>, WordsInMemory>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
