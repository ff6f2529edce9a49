// Textbook HMAC-SHA1: one message after another, and the key is hashed again for each.
#include <bit>
#include <cstring>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

namespace {

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
Message padded(const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::size_t rest = size % block_bytes;
  Message message{data, size / block_bytes, (size + 8) / block_bytes + 1, {}};
  if (rest != 0) std::memcpy(message.tail, data + size - rest, rest);
  message.tail[rest] = 0x80;
  std::uint8_t* const end = message.tail + block_bytes * (message.blocks - message.whole);
  for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
  return message;
}

void store_digest(std::uint8_t* digest, const State& state, std::size_t size) {
  std::uint8_t bytes[digest_bytes];
  for (std::size_t i = 0; i < digest_bytes; ++i) {
    bytes[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - i % 4 * 8));
  }
  std::memcpy(digest, bytes, size);
}

void compress(State& state, const std::uint8_t* block);

void hash(State& state, const Message& message) {
  for (std::size_t i = 0; i < message.blocks; ++i) compress(state, message.block(i));
}

State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, block);
  return state;
}

void hash(const Job& job) {
  State state = job.key ? after_pad(*job.key, 0x36) : initial_state;
  hash(state, padded(job.data, job.size, job.key ? block_bytes : 0));
  if (job.key) {
    std::uint8_t inner[digest_bytes];
    store_digest(inner, state, digest_bytes);
    state = after_pad(*job.key, 0x5C);
    hash(state, padded(inner, digest_bytes, block_bytes));
  }
  store_digest(job.digest, state, job.digest_size);
}

std::uint32_t load(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

void compress(State& state, const std::uint8_t* block) {
  std::uint32_t w[80];  // the message schedule
  for (int t = 0; t < 16; ++t) w[t] = load(block + 4 * t);
  for (int t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);

  auto [a, b, c, d, e] = state;
  for (int t = 0; t < 80; ++t) {
    const std::uint32_t f = t < 20   ? (b & c) | (~b & d)
                            : t < 40 ? b ^ c ^ d
                            : t < 60 ? (b & c) | (b & d) | (c & d)
                                     : b ^ c ^ d;
    const std::uint32_t k = t < 20 ? 0x5A827999 : t < 40 ? 0x6ED9EBA1 : t < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

struct Processor {
  void operator()(const Job& job) const { hash(job); }
};

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  key = {};
  if (bytes.size() > block_bytes) {
    State state = initial_state;
    hash(state, padded(bytes.data(), bytes.size(), 0));
    store_digest(key.padded.data(), state, digest_bytes);
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
}

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/functions.hpp"
