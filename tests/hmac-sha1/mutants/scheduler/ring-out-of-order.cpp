// The ring is flushed from its end.
#include "../manager.hpp"
#include "hmac-sha1/in_order.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new Manager; }

}  // namespace hmac_sha1

namespace ladder {

template <>
hmac_sha1::Job* hmac_sha1::Ring::flush() {
  if (count_ == 0) return nullptr;
  hmac_sha1::Job& latest = jobs_[(earliest_ + --count_) % jobs_.size()];
  while (latest.status == Status::waiting && hmac_sha1::flush(manager_)) {
  }
  return &latest;
}

}  // namespace ladder
