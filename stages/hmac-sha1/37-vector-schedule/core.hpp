// Which kind of core this is, by its vendor. The kinds differ in their units for SHA and for vectors.
#pragma once

namespace hmac_sha1 {

// Intel's cores are taken to be like Emerald Rapids, all others like Zen 5.
static const bool is_like_emerald_rapids = __builtin_cpu_is("intel");

}  // namespace hmac_sha1
