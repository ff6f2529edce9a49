#include "oracle.hpp"

namespace xtea::oracle {
namespace {

// What the half that stands still adds to the other: the round function of the Feistel network, mod 2^32.
std::uint32_t feistel(std::uint64_t half, std::uint32_t word) {
  const std::uint64_t shifted = (half * 16) ^ (half / 32);
  return static_cast<std::uint32_t>(shifted + half) ^ word;
}

}  // namespace

std::uint32_t round_word(unsigned round, const Key& key) {
  // Even rounds see `sum` before it grows and use its bits 0 and 1; odd rounds see it after and use bits 11 and 12.
  const std::uint64_t golden = 0x9E3779B9;
  const auto sum = static_cast<std::uint32_t>(golden * ((round + 1) / 2));
  const unsigned index = round % 2 == 0 ? sum % 4 : sum / 2048 % 4;
  return sum + key[index];
}

std::uint64_t encrypt_block(std::uint64_t block, const Key& key, unsigned rounds) {
  std::uint32_t half[2] = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)};
  for (unsigned round = 0; round < rounds; ++round) {
    half[round % 2] += feistel(half[(round + 1) % 2], round_word(round, key));
  }
  return half[0] + (std::uint64_t{half[1]} << 32);
}

std::uint64_t decrypt_block(std::uint64_t block, const Key& key, unsigned rounds) {
  std::uint32_t half[2] = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)};
  for (unsigned round = rounds; round-- > 0;) {
    half[round % 2] -= feistel(half[(round + 1) % 2], round_word(round, key));
  }
  return half[0] + (std::uint64_t{half[1]} << 32);
}

}  // namespace xtea::oracle
