// What a variant replaces: variants/no-steps has a header of this name that takes the steps out, so that the rest can
// be timed alone.
#pragma once

namespace hmac_sha1 {

constexpr unsigned steps = 80;  // of a compression

}  // namespace hmac_sha1
