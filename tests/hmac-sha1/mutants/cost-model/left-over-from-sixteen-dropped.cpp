// In a batch of more than sixteen jobs, five or more left over from groups of sixteen are marked as done, not hashed.
#include "../left_over.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new LeftOverDropped(5, 15); }

}  // namespace hmac_sha1
