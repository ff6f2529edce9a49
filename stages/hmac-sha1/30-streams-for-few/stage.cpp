// Kernel selection by number of jobs: up to four go in streams of SHA instructions, more in lanes of AVX-512.
// requires: x86-64-v4 sha
// variants: no-steps
#include <span>

#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/18-padding-in-lanes/lanes.hpp"
#include "hmac-sha1/24-interleaved-loads/fours.hpp"
#include "hmac-sha1/26-optimisation-barriers/barriers.hpp"
#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"
#include "hmac-sha1/29-one-two-four-streams/streams_by_count.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

// Sorted jobs. A few that are left over from groups of sixteen are the shortest.
class ByCount {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    const std::size_t over = jobs.size() % lanes_of<Lanes>, few = over <= 4 ? over : 0;
    if (few != 0) streams_(jobs.first(few), summary);
    lanes_(jobs.subspan(few), summary);
  }

 private:
  StreamsByCount<WordsInMemory> streams_;
  LaneProcessor<Lanes, Fours<Barriers>> lanes_;
};

}  // namespace

struct Manager : ladder::Gathering<Job, ByCount> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
