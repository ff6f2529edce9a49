// HMAC of a group of messages. Each message is a row of blocks, so a stage may hash several at once.
#pragma once

#include <cstring>
#include <span>

#include "hmac-sha1/02-registers/words.hpp"
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
