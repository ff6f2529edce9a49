// Nine jobs go in eight lanes: the last is marked as done, and not hashed.
#include "../left_over.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new LastDropped(9); }

}  // namespace hmac_sha1
