// OpenSSL: one message after the other, with the CPU's SHA instructions where it has them; pads are hashed beforehand.
// links: libcrypto
#define OPENSSL_SUPPRESS_DEPRECATED  // SHA1_Transform goes on from a given state directly
#include <openssl/sha.h>

#include <algorithm>
#include <cstring>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Transform(&context, block);
  return {context.h0, context.h1, context.h2, context.h3, context.h4};
}

// The hash of a message behind a block that is in the state already.
void hash(const State& state, const std::uint8_t* data, std::size_t size, std::uint8_t* digest) {
  SHA_CTX context{};
  context.h0 = state[0];
  context.h1 = state[1];
  context.h2 = state[2];
  context.h3 = state[3];
  context.h4 = state[4];
  context.Nl = 8 * block_bytes;
  SHA1_Update(&context, data, size);
  SHA1_Final(digest, &context);
}

struct Processor {
  void operator()(const Job& job) const {
    std::uint8_t digest[digest_bytes];
    if (job.key) {
      hash(job.key->inner, job.data, job.size, digest);
      hash(job.key->outer, digest, digest_bytes, digest);
    } else {
      SHA1(job.data, job.size, digest);
    }
    std::memcpy(job.digest, digest, job.digest_size);
  }
};

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  key = {};
  if (bytes.size() > block_bytes) {
    SHA1(bytes.data(), bytes.size(), key.padded.data());
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
  key.inner = after_pad(key, 0x36);
  key.outer = after_pad(key, 0x5C);
}

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/functions.hpp"
