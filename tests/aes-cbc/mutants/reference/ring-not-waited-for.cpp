// Flush hands back the earliest job without waiting until it is finished.
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
aes_cbc::Job* aes_cbc::Ring::flush() {
  if (count_ == 0) return nullptr;
  aes_cbc::Job& job = jobs_[earliest_];
  earliest_ = (earliest_ + 1) % jobs_.size();
  --count_;
  return &job;
}

}  // namespace ladder
