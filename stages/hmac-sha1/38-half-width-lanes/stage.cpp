// Half-width lanes: five to eight jobs go in 256-bit vectors, because Intel's cores start more of these in a cycle.
// requires: x86-64-v4 sha
// variants: no-steps other-core
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/24-interleaved-loads/fours.hpp"
#include "hmac-sha1/26-optimisation-barriers/barriers.hpp"
#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"
#include "hmac-sha1/33-compaction/few_unequal.hpp"
#include "hmac-sha1/37-vector-schedule/by_core.hpp"
#include "hmac-sha1/37-vector-schedule/vector_schedule.hpp"
#include "hmac-sha1/38-half-width-lanes/by_cost.hpp"
#include "hmac-sha1/38-half-width-lanes/half_width.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

using Streams = ByCore<FewUnequal<VectorSchedule>, FewUnequal<WordsInMemory>>;
using Half = LaneProcessor<HalfLanes, WholeBlocks<HalfWidth>>;
using All = LaneProcessor<Lanes, Fours<Barriers>>;

// On Emerald Rapids and on Zen 5. On the latter, half of the lanes were not tried, so they cost as much as all.
const Costs costs = is_like_emerald_rapids ? Costs{100, 149, 277, 318, 436} : Costs{127, 147, 216, 380, 380};

}  // namespace

struct Manager : ladder::Gathering<Job, ByCost<Streams, Half, All, lanes, costs>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
