// Whether this core gains where jobs of two blocks are encrypted as they come.
#pragma once

namespace aes_cbc {

// Emerald Rapids gains. On Zen 5 such jobs are faster in lanes. Intel's cores are taken to be like Emerald Rapids, all
// others like Zen 5.
static const bool overlaps_two_blocks = __builtin_cpu_is("intel");

}  // namespace aes_cbc
