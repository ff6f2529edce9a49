// The S-boxes of FIPS 46-3 and the permutation P after them, in look-up tables.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace des3_cbc {

using Box = std::array<std::uint32_t, 64>;

// Each row of each S-box, sixteen digits from its column 0 on.
constexpr std::uint64_t box_rows[8][4] = {
    {0xE4D12FB83A6C5907, 0x0F74E2D1A6CB9538, 0x41E8D62BFC973A50, 0xFC8249175B3EA06D},
    {0xF18E6B34972DC05A, 0x3D47F28EC01A69B5, 0x0E7BA4D158C6932F, 0xD8A13F42B67C05E9},
    {0xA09E63F51DC7B428, 0xD709346A285ECBF1, 0xD6498F30B12C5AE7, 0x1AD069874FE3B52C},
    {0x7DE3069A1285BC4F, 0xD8B56F03472C1AE9, 0xA690CB7DF13E5284, 0x3F06A1D8945BC72E},
    {0x2C417AB6853FD0E9, 0xEB2C47D150FA3986, 0x421BAD78F9C5630E, 0xB8C71E2D6F09A453},
    {0xC1AF92680D34E75B, 0xAF427C9561DE0B38, 0x9EF528C3704A1DB6, 0x432C95FABE17608D},
    {0x4B2EF08D3C975A61, 0xD0B7491AE35C2F86, 0x14BDC37EAF680592, 0x6BD814A7950FE23C},
    {0xD2846FB1A93E50C7, 0x1FD8A374C56B0E92, 0x7B419CE206ADF358, 0x21E74A8DFC90356B}};

// Bit i + 1 of a round's result, counted from the highest, is this bit of the eight boxes' 32.
constexpr std::uint8_t permutation[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                                          2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};

// boxes[i] takes the six bits for S-box i + 1. The result is rotated one place to the left, like the halves of a block.
// So the six bits for S2, S4, S6 and S8 end where bytes end. Those for S1, S3, S5 and S7 end four places higher.
constexpr std::array<Box, 8> boxes = [] {
  std::array<Box, 8> tables{};
  for (unsigned box = 0; box < 8; ++box) {
    for (unsigned six = 0; six < 64; ++six) {
      const unsigned row = (six >> 4 & 2) | (six & 1), column = six >> 1 & 15;
      const auto four = static_cast<std::uint32_t>(box_rows[box][row] >> (60 - 4 * column) & 15) << (28 - 4 * box);
      std::uint32_t result = 0;
      for (const unsigned bit : permutation) result = result << 1 | (four >> (32 - bit) & 1);
      tables[box][six] = std::rotl(result, 1);
    }
  }
  return tables;
}();

}  // namespace des3_cbc
