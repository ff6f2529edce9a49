// The constants of Threefish-256 in Skein 1.3. A header in standards/ with those of an older version can replace it.
#pragma once

#include <cstdint>

namespace threefish {

// Of round r, modulo 8, the left and the right mix rotate by rotations[r].
constexpr int rotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};

// The fifth word of the key is the xor of the four others and of this.
constexpr std::uint64_t parity = 0x1BD11BDAA9FC1A22;

}  // namespace threefish
