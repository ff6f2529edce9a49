// A job is taken for finished if the one was that had its place before.
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
  ++count_;
  hand_over(manager_, job);
  return count_ == jobs_.size() ? finish_earliest() : earliest_if_finished();
}

}  // namespace ladder
