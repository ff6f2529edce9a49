// In a batch of more than eight jobs, up to four left over from groups of eight are marked as done, not hashed.
#include "../left_over.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new LeftOverDropped(1, 4, 8); }

}  // namespace hmac_sha1
