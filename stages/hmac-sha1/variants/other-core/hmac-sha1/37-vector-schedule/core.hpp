// The choices of the other kind of core.
#pragma once

namespace hmac_sha1 {

static const bool is_like_emerald_rapids = !__builtin_cpu_is("intel");

}  // namespace hmac_sha1
