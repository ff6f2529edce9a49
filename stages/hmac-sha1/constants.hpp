// How many steps of a compression are done. The checks read it, for the variant no-steps does none.
#pragma once

namespace hmac_sha1 {

constexpr unsigned steps = 80;

}  // namespace hmac_sha1
