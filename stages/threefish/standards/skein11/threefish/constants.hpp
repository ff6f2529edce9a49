// The constants of Skein 1.0 and 1.1, which the document used: other rotations, too.
#pragma once

#include <cstdint>

namespace threefish {

// Of round r, modulo 8, the left and the right mix rotate by rotations[r].
constexpr int rotations[8][2] = {{5, 56}, {36, 28}, {13, 46}, {58, 44}, {26, 20}, {53, 35}, {11, 42}, {59, 50}};

// The fifth word of the key is the xor of the four others and of this.
constexpr std::uint64_t parity = 0x5555555555555555;

}  // namespace threefish
