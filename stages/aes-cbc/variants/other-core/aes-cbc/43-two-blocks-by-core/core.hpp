// The choice of the other kind of core.
#pragma once

namespace aes_cbc {

static const bool overlaps_two_blocks = !__builtin_cpu_is("intel");

}  // namespace aes_cbc
