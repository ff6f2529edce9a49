// Which theta takes less time on this core.
#pragma once

namespace sha3 {

// Intel's cores are taken to be like Emerald Rapids, all others like Zen 5. Set when the program starts. Before that it
// is false, which gives the same digests.
inline const bool has_ternary_theta = __builtin_cpu_is("intel");

}  // namespace sha3
