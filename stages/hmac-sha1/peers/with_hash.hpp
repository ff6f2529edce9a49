// Whether the libraries hash. The checks read it, because in the variant no-hash the libraries do not.
#pragma once

namespace hmac_sha1 {

constexpr bool with_hash = true;

}  // namespace hmac_sha1
