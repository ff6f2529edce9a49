// Returns jobs in the order of submission: a ring around a manager that returns them in any order.
#pragma once

#include <array>
#include <cstddef>

namespace ladder {

// Job needs a `status` (common/multibuffer/jobs.hpp). Manager needs submit(Manager&, Job&) and flush(Manager&). Like
// its manager, a ring is for one thread. At most `places` - 1 jobs are in progress. A returned job belongs to the
// caller until the next call of next_job. The members are in in_order_members.hpp. A source that includes it has them
// inlined, because a short job takes little longer than a call.
template <class Manager, class Job, std::size_t places = 256>
class InOrder {
 public:
  // The manager must be empty, and no other code may use it.
  explicit InOrder(Manager& manager) : manager_(manager) {}

  // The place for the next job to submit.
  Job& next_job();

  // Submits the job in that place. Returns the earliest job if it is finished. If no place is left, finishes the
  // earliest job first.
  Job* submit();

  // Returns the earliest job if it is finished. Does no work on jobs.
  Job* completed();

  // Finishes and returns the earliest job. Null only if no job is in progress.
  Job* flush();

  std::size_t under_way() const { return count_; }

 private:
  Job* earliest_if_finished();
  Job* finish_earliest();

  Manager& manager_;
  std::array<Job, places> jobs_{};
  std::size_t earliest_ = 0;
  std::size_t count_ = 0;  // needed because a full and an empty ring have equal ends
};

}  // namespace ladder
