// HMAC of one message.
#pragma once

#include "hmac-sha1/01-pads/message.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

static void compress(State& state, const std::uint8_t* block);  // the stage defines it

static inline void hash(State& state, const Message& message) {
  for (std::size_t i = 0; i < message.blocks; ++i) compress(state, message.block(i));
}

static inline void hash(const Job& job) {
  State state = job.key ? job.key->inner : initial_state;
  hash(state, padded(job.data, job.size, job.key ? block_bytes : 0));
  if (job.key) {
    std::uint8_t inner[digest_bytes];
    store_digest(inner, state, digest_bytes);
    state = job.key->outer;
    hash(state, padded(inner, digest_bytes, block_bytes));
  }
  store_digest(job.digest, state, job.digest_size);
}

}  // namespace hmac_sha1
