// Rolling message schedule (the alternate method of FIPS 180-4): a ring of 16 words instead of an array of 80.
#include <bit>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/01-pads/hmac.hpp"
#include "hmac-sha1/02-schedule-ring/words.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

static void compress(State& state, const std::uint8_t* block) {
  Block w = load(block);
  auto [a, b, c, d, e] = state;
  for (int t = 0; t < 80; ++t) {
    if (t >= 16) w[t % 16] = std::rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
    const std::uint32_t f = t < 20   ? (b & c) | (~b & d)
                            : t < 40 ? b ^ c ^ d
                            : t < 60 ? (b & c) | (b & d) | (c & d)
                                     : b ^ c ^ d;
    const std::uint32_t k = t < 20 ? 0x5A827999 : t < 40 ? 0x6ED9EBA1 : t < 60 ? 0x8F1BBCDC : 0xCA62C1D6;
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + w[t % 16];
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
