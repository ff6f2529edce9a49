#include "oracle.hpp"

#include "common/places.hpp"
#include "xtea/peers/with_cipher.hpp"

namespace xtea::oracle {
namespace {

// The round function of the Feistel network: one half adds this to the other, mod 2^32.
std::uint32_t feistel(std::uint64_t half, std::uint32_t word) {
  const std::uint64_t shifted = (half * 16) ^ (half / 32);
  return static_cast<std::uint32_t>(shifted + half) ^ word;
}

}  // namespace

std::uint32_t round_word(unsigned round, const Key& key) {
  // Even rounds use bits 0 and 1 of `sum` before delta is added; odd rounds use bits 11 and 12 of it after that.
  const std::uint64_t golden = 0x9E3779B9;
  const auto sum = static_cast<std::uint32_t>(golden * ((round + 1) / 2));
  const unsigned index = round % 2 == 0 ? sum % 4 : sum / 2048 % 4;
  return sum + key[index];
}

std::uint64_t encrypt_block(std::uint64_t block, const Key& key, unsigned rounds) {
  if (!with_cipher) return block;
  std::uint32_t half[2] = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)};
  for (unsigned round = 0; round < rounds; ++round) {
    half[round % 2] += feistel(half[(round + 1) % 2], round_word(round, key));
  }
  return half[0] + (std::uint64_t{half[1]} << 32);
}

std::uint64_t decrypt_block(std::uint64_t block, const Key& key, unsigned rounds) {
  if (!with_cipher) return block;
  std::uint32_t half[2] = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)};
  for (unsigned round = rounds; round-- > 0;) {
    half[round % 2] -= feistel(half[(round + 1) % 2], round_word(round, key));
  }
  return half[0] + (std::uint64_t{half[1]} << 32);
}

std::string difference(std::span<const std::uint64_t> first, std::span<const std::uint64_t> now, BlockCipher cipher,
                       const Key& key, std::size_t calls, std::size_t places) {
  for (const std::size_t i : ladder::drawn(first.size(), places)) {
    std::uint64_t block = first[i];
    for (std::size_t call = 0; call < calls; ++call) block = cipher(block, key, 2 * cycles);
    if (block == now[i]) continue;
    return "block " + std::to_string(i) + " of " + std::to_string(first.size()) +
           " is not what the oracle gives after " + std::to_string(calls) + " calls";
  }
  return {};
}

}  // namespace xtea::oracle
