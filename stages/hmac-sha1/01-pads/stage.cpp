// Precomputed key states: the two padded blocks of a key are hashed once, so a message needs two compressions fewer.
#include <bit>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/01-pads/hmac.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

static std::uint32_t load(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

static void compress(State& state, const std::uint8_t* block) {
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

static State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, block);
  return state;
}

namespace {

struct Processor {
  void operator()(const Job& job) const { hash(job); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
