// Prepares a key: hashes both pads once. Include it after the Manager and `after_pad(key, pad)`, the state after the
// block of a padded key and a pad.
#pragma once

#include <cstring>
#include <span>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  key = {};
  if (bytes.size() > block_bytes) {  // a long key is hashed first, as a job like any other
    Job job{bytes.data(), bytes.size(), nullptr, key.padded.data(), digest_bytes, Status::waiting};
    Manager manager;
    manager.batch({&job, 1});
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
  key.inner = after_pad(key, 0x36);
  key.outer = after_pad(key, 0x5C);
}

}  // namespace hmac_sha1
