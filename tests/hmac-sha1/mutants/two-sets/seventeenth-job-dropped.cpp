// Seventeen jobs go in one vector of sixteen lanes: the last is marked as done, and not hashed.
#include "../left_over.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new LastDropped(17); }

}  // namespace hmac_sha1
