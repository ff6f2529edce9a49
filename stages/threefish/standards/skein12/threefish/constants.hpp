// Skein 1.2: the rotations of today, the older constant.
#pragma once

#include <cstdint>

namespace threefish {

// Of round r, modulo 8, the left and the right mix rotate by rotations[r].
constexpr int rotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};

constexpr std::uint64_t parity =
    0x5555555555555555;  // the fifth word of the key is that of its others, with this xor-ed

}  // namespace threefish
