// What stage 10 came to, for the stages after it: ends of messages have their padding at hand.
#pragma once

#include <cstring>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// The end of a message up to byte 64, and behind it, for good, what it is padded with, but for its length.
struct Tail {
  std::uint8_t bytes[3 * block_bytes] = {};

  Tail() { bytes[block_bytes] = 0x80; }

  // Where the blocks begin that the last bytes of the message are in.
  const std::uint8_t* with_end_of(const Job& job) {
    std::uint8_t* const end = bytes + block_bytes;
    const std::size_t rest = job.size % block_bytes;
    if (job.size >= block_bytes) {
      std::memcpy(bytes, job.data + job.size - block_bytes, block_bytes);  // a whole block is faster than some bytes
    } else if (rest != 0) {
      std::memcpy(end - rest, job.data, rest);
    }
    return end - rest;
  }
};

}  // namespace hmac_sha1
