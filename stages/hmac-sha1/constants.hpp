// What a variant may change.
#pragma once

namespace hmac_sha1 {

constexpr unsigned steps = 80;  // of a compression

}  // namespace hmac_sha1
