// Four in flight: four sets of sixteen bytes, each moved by 64, so that no multiplication waits for the one before.
// requires: pclmul
#include <immintrin.h>

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

// The remainder of x^n, in the upper half of a word whose bit 63 stands for x^0.
constexpr std::uint64_t power(unsigned n) {
  std::uint32_t rest = 0x80000000;
  for (; n > 0; --n) rest = rest >> 1 ^ (rest & 1 ? polynomial : 0);
  return std::uint64_t{rest} << 32;
}

using Sixteen = __m128i;  // bytes; the lowest bit of the first stands for x^127

Sixteen load(const std::uint8_t* bytes) { return _mm_loadu_si128(reinterpret_cast<const Sixteen*>(bytes)); }

// Sixteen bytes that leave over what these do with `Bytes` of zero behind them. The lower half stands for x^64 times
// more than the upper one, and a product comes out one bit too low.
template <unsigned Bytes>
Sixteen advance(Sixteen sixteen) {
  const Sixteen powers = _mm_set_epi64x(power(8 * Bytes - 1), power(8 * Bytes + 63));
  return _mm_xor_si128(_mm_clmulepi64_si128(sixteen, powers, 0x00), _mm_clmulepi64_si128(sixteen, powers, 0x11));
}

std::uint32_t absorb_sixteen(Sixteen sum) {
  std::array<std::uint8_t, 16> bytes;
  _mm_storeu_si128(reinterpret_cast<Sixteen*>(bytes.data()), sum);
  return absorb(0, bytes);
}

}  // namespace

std::uint32_t update(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
  if (bytes.size() < 64) return ~absorb(~crc, bytes);
  Sixteen sums[4];
  for (std::size_t i = 0; i < 4; ++i) sums[i] = load(bytes.data() + 16 * i);
  sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(static_cast<int>(~crc)));
  for (bytes = bytes.subspan(64); bytes.size() >= 64; bytes = bytes.subspan(64)) {
    for (std::size_t i = 0; i < 4; ++i) sums[i] = _mm_xor_si128(advance<64>(sums[i]), load(bytes.data() + 16 * i));
  }
  for (std::size_t i = 1; i < 4; ++i) sums[i] = _mm_xor_si128(advance<16>(sums[i - 1]), sums[i]);
  return ~absorb(absorb_sixteen(sums[3]), bytes);
}

}  // namespace crc
