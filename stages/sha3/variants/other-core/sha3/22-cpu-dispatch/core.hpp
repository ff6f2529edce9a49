// The choice of the other kind of core.
#pragma once

namespace sha3 {

inline const bool has_ternary_theta = !__builtin_cpu_is("intel");

}  // namespace sha3
