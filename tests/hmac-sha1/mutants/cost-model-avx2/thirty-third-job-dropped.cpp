// A batch of 33 jobs passes for one of 32: the last one is marked as done, and not hashed.
#include "../left_over.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new LastDropped(33); }

}  // namespace hmac_sha1
