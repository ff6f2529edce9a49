// Eight tables: eight bytes are looked up at once, and their remainders added.
#include <array>
#include <cstring>

#include "crc32/crc32.hpp"

namespace crc {
namespace {

// tables[n][byte]: what is left of the byte once it and n bytes of zero behind it have gone through the division.
constexpr auto tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (auto& table : tables) {
      for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? polynomial : 0);
      table[byte] = rest;
    }
  }
  return tables;
}();

std::uint32_t absorb_eight(std::uint32_t rest, const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  word ^= rest;
  rest = 0;
  for (std::size_t i = 0; i < 8; ++i) rest ^= tables[7 - i][word >> 8 * i & 0xff];
  return rest;
}

std::uint32_t absorb(std::uint32_t rest, std::span<const std::uint8_t> bytes) {
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) rest = absorb_eight(rest, bytes.data());
  for (const std::uint8_t byte : bytes) rest = rest >> 8 ^ tables[0][(rest ^ byte) & 0xff];
  return rest;
}

}  // namespace

std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes) { return ~absorb(~crc, bytes); }

}  // namespace crc
