// The adapter of a library that is big-endian: it swaps the bytes of each half, not the halves, on the way in and out.
// Each call gets a key, so the adapter also sets the key. The variant no-cipher does all of this, and no more.
#pragma once

#include "xtea/peers/with_cipher.hpp"
#include "xtea/xtea.hpp"

namespace xtea {

static inline std::array<std::uint8_t, sizeof(Key)> big_endian(const Key& key) {
  std::array<std::uint8_t, sizeof(Key)> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(key[i / 4] >> (24 - i % 4 * 8));
  return bytes;
}

static inline void swap_halves(std::span<std::uint64_t> blocks) {
  for (std::uint64_t& block : blocks) {
    block = __builtin_bswap64(block);
    block = block << 32 | block >> 32;
  }
}

// `cipher` gets the bytes of the blocks.
template <class Cipher>
static void as_big_endian(std::span<std::uint64_t> blocks, Cipher cipher) {
  swap_halves(blocks);
  if (with_cipher) cipher(reinterpret_cast<std::uint8_t*>(blocks.data()));
  asm volatile("" ::: "memory");  // else the compiler could remove both swaps where there is no cipher
  swap_halves(blocks);
}

}  // namespace xtea
