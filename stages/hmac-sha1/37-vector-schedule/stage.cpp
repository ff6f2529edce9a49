// Message schedule in AVX-512: on Intel's cores vector instructions compute it, because sha1msg2 is slow there.
// requires: x86-64-v4 sha
// variants: no-steps other-core
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/24-interleaved-loads/fours.hpp"
#include "hmac-sha1/26-optimisation-barriers/barriers.hpp"
#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"
#include "hmac-sha1/36-cost-model/by_cost.hpp"
#include "hmac-sha1/37-vector-schedule/by_core.hpp"
#include "hmac-sha1/37-vector-schedule/vector_schedule.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

template <class Schedule>
using Processor = ByCost<Lanes, Fours<Barriers>, Schedule>;

}  // namespace

struct Manager : ladder::Gathering<Job, ByCore<Processor<VectorSchedule>, Processor<WordsInMemory>>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
