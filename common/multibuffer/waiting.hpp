// A manager whose jobs wait until a group is full.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "common/multibuffer/manager.hpp"

namespace ladder {

// The finished jobs of a group go back one at a time. `Processor` is called with a full group, or a smaller one at a
// flush.
template <class Job, std::size_t group, class Processor>
class WaitingManager : public ManagerBase {
 public:
  Job* submit(Job& job) {
    if (refused(job)) return &job;
    jobs_[count_++] = &job;
    if (count_ == group) process_waiting();
    return hand_back();
  }

  Job* flush() {
    if (next_ == end_ && count_ != 0) process_waiting();
    return hand_back();
  }

  void batch(std::span<Job> jobs) { submit_and_flush(*this, jobs); }

 protected:
  Processor process_;

 private:
  // Inlined, it would make every `submit` save registers that only a full group needs.
  [[gnu::noinline]] void process_waiting() {
    process_(std::span<Job* const>(jobs_, count_));
    next_ = 0;
    end_ = std::exchange(count_, 0);
  }

  Job* hand_back() {
    if (next_ == end_) return nullptr;
    jobs_[next_]->status = Status::done;
    return jobs_[next_++];
  }

  Job* jobs_[group];                // each `submit` hands a finished job back before the next one takes its place
  std::size_t count_ = 0;           // of waiting jobs
  std::size_t next_ = 0, end_ = 0;  // of finished jobs that go back
};

}  // namespace ladder
