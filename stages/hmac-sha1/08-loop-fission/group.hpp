// HMAC of a group of messages: all are padded before any is hashed, so a stage may hash several at once.
#pragma once

#include <span>

#include "hmac-sha1/01-pads/message.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Up to `capacity` jobs. `hash(states, messages, count)` hashes all blocks of the messages into the states.
template <std::size_t capacity>
static void hash_group(std::span<Job* const> jobs, auto&& hash) {
  State inner[capacity], outer[capacity];
  Message messages[capacity];
  bool any_key = false;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = *jobs[i];
    any_key |= job.key != nullptr;
    inner[i] = job.key ? job.key->inner : initial_state;
    outer[i] = job.key ? job.key->outer : initial_state;
    messages[i] = padded(job.data, job.size, job.key ? block_bytes : 0);
  }
  hash(inner, messages, jobs.size());
  if (any_key) {
    std::uint8_t digests[capacity][digest_bytes];
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      store_digest(digests[i], inner[i], digest_bytes);
      messages[i] = padded(digests[i], digest_bytes, block_bytes);
    }
    hash(outer, messages, jobs.size());
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    store_digest(jobs[i]->digest, jobs[i]->key ? outer[i] : inner[i], jobs[i]->digest_size);
  }
}

}  // namespace hmac_sha1
