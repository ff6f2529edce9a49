// Textbook HMAC-SHA1: one message after another, and the key is hashed again for each.
#include <bit>
#include <cstring>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

namespace {

std::uint32_t load(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

void store(std::uint8_t* bytes, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
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
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

// Hashes the rest of a message: the state has `before` bytes of it already.
void finish(State& state, const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::uint64_t bits = 8 * (std::uint64_t{before} + size);
  for (; size >= block_bytes; size -= block_bytes, data += block_bytes) compress(state, data);
  std::uint8_t tail[2 * block_bytes] = {};
  if (size != 0) std::memcpy(tail, data, size);
  tail[size] = 0x80;
  const std::size_t end = size + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  for (int i = 0; i < 8; ++i) tail[end - 1 - i] = static_cast<std::uint8_t>(bits >> 8 * i);
  for (std::size_t i = 0; i < end; i += block_bytes) compress(state, tail + i);
}

State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, block);
  return state;
}

void store_digest(std::uint8_t* digest, const State& state, std::size_t size) {
  std::uint8_t bytes[digest_bytes];
  for (int i = 0; i < 5; ++i) store(bytes + 4 * i, state[i]);
  std::memcpy(digest, bytes, size);
}

struct Processor {
  void operator()(const Job& job) const {
    State state = job.key ? after_pad(*job.key, 0x36) : initial_state;
    finish(state, job.data, job.size, job.key ? block_bytes : 0);
    if (job.key) {
      std::uint8_t inner[digest_bytes];
      store_digest(inner, state, digest_bytes);
      state = after_pad(*job.key, 0x5C);
      finish(state, inner, digest_bytes, block_bytes);
    }
    store_digest(job.digest, state, job.digest_size);
  }
};

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  key = {};
  if (bytes.size() > block_bytes) {
    State state = initial_state;
    finish(state, bytes.data(), bytes.size(), 0);
    store_digest(key.padded.data(), state, digest_bytes);
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
}

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/functions.hpp"
