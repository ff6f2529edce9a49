// A ring whose ends are in the same place is full, and is taken for empty.
#include "../batch.hpp"
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "aes-cbc/in_order.hpp"
#include "common/multibuffer/in_order_members.hpp"

namespace aes_cbc {

// It is right, but holds back all that it gets until it is flushed.
Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.waiting.push_back(&job);
  return nullptr;
}

Job* flush(Manager& manager) {
  if (manager.waiting.empty()) return nullptr;
  Job* const job = manager.waiting.back();
  manager.waiting.pop_back();
  encrypt(*job);
  job->status = Status::done;
  return job;
}

}  // namespace aes_cbc

namespace ladder {

template <>
aes_cbc::Job* aes_cbc::Ring::submit() {
  aes_cbc::Job& job = next_job();
  ++count_;
  hand_over(manager_, job);
  if (count_ == jobs_.size()) {
    count_ = 0;
    return nullptr;
  }
  return earliest_if_finished();
}

}  // namespace ladder
