// The members of InOrder, for sources that inline them and for the source that instantiates them for its case.
#pragma once

#include "common/multibuffer/in_order.hpp"
#include "common/multibuffer/jobs.hpp"

namespace ladder {

// Call the manager's functions, whose names the ring's members hide.
template <class Manager, class Job>
void hand_over(Manager& manager, Job& job) {
  submit(manager, job);
}
template <class Manager>
bool work_on(Manager& manager) {
  return flush(manager) != nullptr;
}

template <class Manager, class Job, std::size_t places>
Job& InOrder<Manager, Job, places>::next_job() {
  return jobs_[(earliest_ + count_) % places];
}

// A job that the manager returns is in the ring, marked as finished.
template <class Manager, class Job, std::size_t places>
Job* InOrder<Manager, Job, places>::submit() {
  Job& job = next_job();
  job.status = Status::waiting;  // the place still has the status of its last job
  ++count_;
  hand_over(manager_, job);
  return count_ == places ? finish_earliest() : earliest_if_finished();
}

template <class Manager, class Job, std::size_t places>
Job* InOrder<Manager, Job, places>::completed() {
  return count_ == 0 ? nullptr : earliest_if_finished();
}

template <class Manager, class Job, std::size_t places>
Job* InOrder<Manager, Job, places>::flush() {
  return count_ == 0 ? nullptr : finish_earliest();
}

template <class Manager, class Job, std::size_t places>
Job* InOrder<Manager, Job, places>::earliest_if_finished() {
  Job& job = jobs_[earliest_];
  if (job.status == Status::waiting) return nullptr;
  earliest_ = (earliest_ + 1) % places;
  --count_;
  return &job;
}

template <class Manager, class Job, std::size_t places>
Job* InOrder<Manager, Job, places>::finish_earliest() {
  while (jobs_[earliest_].status == Status::waiting && work_on(manager_)) {
  }
  return earliest_if_finished();
}

}  // namespace ladder
