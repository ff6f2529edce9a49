// How many steps of a compression are done. The variant no-steps does none, and the checks must know that.
#pragma once

namespace hmac_sha1 {

constexpr unsigned steps = 80;

}  // namespace hmac_sha1
