// What stages 04 to 14 do to prepare a key.
#pragma once

#include <cstring>
#include <span>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// A long key is hashed as a job like any other. `after_pad` gives the state after the block of a padded key and a pad.
static inline void prepare(Key& key, std::span<const std::uint8_t> bytes,
                           State (*after_pad)(const Key&, std::uint8_t)) {
  key = {};
  if (bytes.size() > block_bytes) {
    Job job{bytes.data(), bytes.size(), nullptr, key.padded.data(), digest_bytes, Status::waiting};
    const OwnManager manager(make_manager());
    batch(*manager, {&job, 1});
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
  key.inner = after_pad(key, 0x36);
  key.outer = after_pad(key, 0x5C);
}

}  // namespace hmac_sha1
