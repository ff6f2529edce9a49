// What stage 04 came to, for stages 05 and 09: a message with its padding.
#pragma once

#include <cstring>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// A message as the blocks that are hashed: those it fills itself, then one or two with its end and the padding.
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

}  // namespace hmac_sha1
