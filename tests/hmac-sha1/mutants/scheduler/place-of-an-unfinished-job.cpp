// A full ring does not wait for its earliest job, whose place is then given to the next.
#include "../manager.hpp"
#include "hmac-sha1/in_order.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new Manager; }

}  // namespace hmac_sha1

namespace ladder {

template <>
hmac_sha1::Job* hmac_sha1::Ring::submit() {
  hmac_sha1::submit(manager_, next_job());
  count_ = std::min(count_ + 1, jobs_.size());
  return completed();
}

}  // namespace ladder
