// Whether this core gains where jobs of two blocks are encrypted as they come.
#pragma once

namespace aes_cbc {

// Emerald Rapids gains. On Zen 5 such jobs are faster in lanes.
static const bool overlaps_two_blocks = __builtin_cpu_is("intel");

}  // namespace aes_cbc
