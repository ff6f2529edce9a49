// What the versions of Skein changed in Threefish-256; these are those of 1.3. The headers in standards/ take its
// place.
#pragma once

#include <cstdint>

namespace threefish {

// Of round r, modulo 8, the left and the right mix rotate by rotations[r].
constexpr int rotations[8][2] = {{14, 16}, {52, 57}, {23, 40}, {5, 37}, {25, 33}, {46, 12}, {58, 22}, {32, 32}};

constexpr std::uint64_t parity =
    0x1BD11BDAA9FC1A22;  // the fifth word of the key is that of its others, with this xor-ed

}  // namespace threefish
