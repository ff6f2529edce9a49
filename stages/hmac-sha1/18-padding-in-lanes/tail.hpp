// The end of a message in front of padding that is written once.
#pragma once

#include <cstring>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// The last bytes of a message end at byte 64. Behind them is the padding without the length, which never changes.
struct Tail {
  std::uint8_t bytes[3 * block_bytes] = {};

  Tail() { bytes[block_bytes] = 0x80; }

  // Where the last one or two blocks begin.
  const std::uint8_t* with_end_of(const Job& job) {
    std::uint8_t* const end = bytes + block_bytes;
    const std::size_t rest = job.size % block_bytes;
    if (job.size >= block_bytes) {
      std::memcpy(bytes, job.data + job.size - block_bytes, block_bytes);  // a fixed size is faster than the exact one
    } else if (rest != 0) {
      std::memcpy(end - rest, job.data, rest);
    }
    return end - rest;
  }
};

}  // namespace hmac_sha1
