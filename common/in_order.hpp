// Jobs back in the order in which they were submitted: a ring around a manager that hands them back in any order.
#pragma once

#include <array>
#include <cstddef>

namespace ladder {

// Job has a `status` (common/jobs.hpp), and for a Manager there are submit(Manager&, Job&) and flush(Manager&). Like
// its manager, a ring is for one thread. The number of jobs under way is bounded by `places` - 1; a job that comes back
// is the caller's until he asks for the next place. The members are in in_order_members.hpp: a source that includes it
// has them inlined, for a short job takes not much longer than calling them.
template <class Manager, class Job, std::size_t places = 256>
class InOrder {
 public:
  // The manager must be empty, and serves nobody else.
  explicit InOrder(Manager& manager) : manager_(manager) {}

  // The place for the job that is to be submitted next.
  Job& next_job();

  // Takes the job in that place. The earliest job, if it is finished; where there is no place left it is waited for.
  Job* submit();

  // The earliest job, if it is finished; no work is done for that.
  Job* completed();

  // The earliest job, which is worked on if need be; null only if there is none under way.
  Job* flush();

  std::size_t under_way() const { return count_; }

 private:
  Job* earliest_if_finished();
  Job* finish_earliest();

  Manager& manager_;
  std::array<Job, places> jobs_{};
  std::size_t earliest_ = 0;
  std::size_t count_ = 0;  // tells a full ring from an empty one, whose ends are in the same place
};

}  // namespace ladder
