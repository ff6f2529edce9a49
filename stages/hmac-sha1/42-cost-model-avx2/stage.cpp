// Cost model without AVX-512: on Intel's cores jobs that are left over go in streams or in lanes, by their lengths.
// requires: x86-64-v3 prefer-vector-width=128 sha
// until: x86-64-v3
// variants: no-steps other-core
#include <span>

#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/15-counting-sort/groups.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/33-compaction/few_unequal.hpp"
#include "hmac-sha1/37-vector-schedule/by_core.hpp"
#include "hmac-sha1/37-vector-schedule/vector_schedule.hpp"
#include "hmac-sha1/38-half-width-lanes/by_cost.hpp"
#include "hmac-sha1/39-eight-lanes/fours_of_eight.hpp"
#include "hmac-sha1/40-lanes-by-core/cleared_streams.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

using Few = ClearThen<FewUnequal<VectorSchedule>>;
using Lanes = LaneProcessor<EightLanes, FoursOfEight>;

// On Emerald Rapids.
constexpr Costs costs{122, 208, 371, 537, 537};

// Half of the lanes would need as many instructions as all. They cost as much, so they are never chosen.
struct NoHalf {
  void operator()(std::span<Job* const> /*jobs*/, const auto& /*summary*/) const {}
};

// Among many jobs, those of a group are about equal once they are sorted.
class FewGroups {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    if (jobs.size() > 32) return by_cost_(jobs, summary);
    for_each_group<8>(jobs, [&](std::span<Job* const> group) { by_cost_(group, summary); });
  }

 private:
  ByCost<Few, NoHalf, Lanes, 8, costs> by_cost_;
};

}  // namespace

struct Manager : ladder::Gathering<Job, ByCore<FewGroups, ClearedStreams>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
