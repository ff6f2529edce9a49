// A padded message as a row of blocks, and the bytes of a digest.
#pragma once

#include <cstring>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// The whole blocks of a message, then one or two with its end and the padding.
struct Message {
  const std::uint8_t* data;
  std::size_t whole, blocks;
  std::uint8_t tail[2 * block_bytes];

  const std::uint8_t* block(std::size_t i) const {
    return i < whole ? data + block_bytes * i : tail + block_bytes * (i - whole);
  }
};

// `before` bytes have been hashed already.
static inline Message padded(const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::size_t rest = size % block_bytes;
  Message message{data, size / block_bytes, (size + 8) / block_bytes + 1, {}};
  if (rest != 0) std::memcpy(message.tail, data + size - rest, rest);
  message.tail[rest] = 0x80;
  std::uint8_t* const end = message.tail + block_bytes * (message.blocks - message.whole);
  for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
  return message;
}

static inline void store_digest(std::uint8_t* digest, const State& state, std::size_t size) {
  std::uint8_t bytes[digest_bytes];
  for (std::size_t i = 0; i < digest_bytes; ++i) {
    bytes[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - i % 4 * 8));
  }
  std::memcpy(digest, bytes, size);
}

}  // namespace hmac_sha1
