// How fast a core's units for SHA and for vectors are, beside each other.
#pragma once

namespace hmac_sha1 {

// Intel's cores are taken to be like Emerald Rapids, all others like Zen 5.
static const bool is_like_emerald_rapids = __builtin_cpu_is("intel");

}  // namespace hmac_sha1
