// In a batch of more than eight jobs, five to seven left over from groups of eight are marked as done, not hashed.
#include "../left_over.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new LeftOverDropped(5, 7, 8); }

}  // namespace hmac_sha1
