// An invalid job comes back at once, before those that were submitted before it.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "aes-cbc/in_order.hpp"
#include "common/multibuffer/in_order_members.hpp"

namespace aes_cbc {
namespace {

// It is right: what is spoiled is the ring around it.
void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above

namespace ladder {

template <>
aes_cbc::Job* aes_cbc::Ring::submit() {
  aes_cbc::Job& job = next_job();
  job.status = Status::waiting;
  ++count_;
  hand_over(manager_, job);
  if (job.status == Status::invalid) {
    --count_;
    return &job;
  }
  return count_ == jobs_.size() ? finish_earliest() : earliest_if_finished();
}

}  // namespace ladder
