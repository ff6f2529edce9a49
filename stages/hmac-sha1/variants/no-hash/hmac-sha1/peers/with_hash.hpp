// No message is hashed, and each digest is zero: the adapter of a library alone, which describes the job to the
// library.
#pragma once

namespace hmac_sha1 {

constexpr bool with_hash = false;

}  // namespace hmac_sha1
