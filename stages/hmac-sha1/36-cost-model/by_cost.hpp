// Chooses streams or lanes for jobs that are left over, by the cycles that their lengths cost on this CPU.
#pragma once

#include <span>

#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/33-compaction/few_unequal.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Cycles of a block in all streams or lanes: of Intel's cores as on Granite Rapids, of all others as on Zen 5.
struct Costs {
  std::size_t one, two, four, lanes;
};
static const Costs costs = __builtin_cpu_is("intel") ? Costs{119, 201, 415, 433} : Costs{127, 147, 216, 380};

// FewUnequal hashes four jobs so: all go until the second has ended, then two, then the last one. Each group ends
// with the block of an outer hash; without keys there is none, but the model counts it.
static inline std::size_t cost_of_four(std::size_t second, std::size_t third, std::size_t fourth) {
  return costs.four * (second + 1) + costs.two * (third - second) + costs.one * (fourth - third);
}

// Shortest first. Lanes go until the longest has ended.
static inline bool streams_pay(std::span<Job* const> jobs) {
  if (jobs.empty()) return false;
  const auto blocks = [&](std::size_t i) { return blocks_of(*jobs[i]); };
  std::size_t in_streams = 0, i = jobs.size() % 4;
  if (i == 1) in_streams = costs.one * (blocks(0) + 1);
  if (i == 2) in_streams = costs.two * (blocks(1) + 1);
  if (i == 3) in_streams = cost_of_four(blocks(0), blocks(1), blocks(2));  // the shortest fills the fourth place
  for (; i < jobs.size(); i += 4) in_streams += cost_of_four(blocks(i + 1), blocks(i + 2), blocks(i + 3));
  return in_streams < costs.lanes * (blocks(jobs.size() - 1) + 1);
}

// Sorted jobs. Those that are left over from groups of lanes are the shortest. The model also decides for a lone group.
template <class Lanes, class Blocks, class Barriers>
class ByCost {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    constexpr std::size_t lanes = lanes_of<Lanes>;
    const std::size_t over = jobs.size() == lanes ? lanes : jobs.size() % lanes;
    const std::size_t few = streams_pay(jobs.first(over)) ? over : 0;
    if (few != 0) streams_(jobs.first(few), summary);
    lanes_(jobs.subspan(few), summary);
  }

 private:
  FewUnequal<Barriers> streams_;
  LaneProcessor<Lanes, Blocks> lanes_;
};

}  // namespace hmac_sha1
