// HMAC of one message, for any compression function.
#pragma once

#include <cstring>

#include "hmac-sha1/02-registers/words.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Hashes the rest of a message: the state has `before` bytes of it already.
static void finish(State& state, const std::uint8_t* data, std::size_t size, std::size_t before,
                   void (&compress)(State&, const std::uint8_t*)) {
  const std::uint64_t bits = 8 * (std::uint64_t{before} + size);
  for (; size >= block_bytes; size -= block_bytes, data += block_bytes) compress(state, data);
  std::uint8_t tail[2 * block_bytes] = {};
  if (size != 0) std::memcpy(tail, data, size);
  tail[size] = 0x80;
  const std::size_t end = size + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  for (int i = 0; i < 8; ++i) tail[end - 1 - i] = static_cast<std::uint8_t>(bits >> 8 * i);
  for (std::size_t i = 0; i < end; i += block_bytes) compress(state, tail + i);
}

static void hash(const Job& job, void (&compress)(State&, const std::uint8_t*)) {
  State state = job.key ? job.key->inner : initial_state;
  finish(state, job.data, job.size, job.key ? block_bytes : 0, compress);
  if (job.key) {
    std::uint8_t inner[digest_bytes];
    store_digest(inner, state, digest_bytes);
    state = job.key->outer;
    finish(state, inner, digest_bytes, block_bytes, compress);
  }
  store_digest(job.digest, state, job.digest_size);
}

}  // namespace hmac_sha1
