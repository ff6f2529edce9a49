// SHA instructions (SHA-NI): one instruction does four steps.
// requires: x86-64 ssse3 sse4.1 sha
// variants: no-steps
#include <immintrin.h>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/01-pads/hmac.hpp"
#include "hmac-sha1/05-sha-instructions/sha.hpp"
#include "hmac-sha1/05-sha-instructions/steps.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

static void compress(State& state, const std::uint8_t* block) {
  Four w[4];
  for (int i = 0; i < 4; ++i) w[i] = bytes_reversed(load_four(block + 16 * i));
  const Hash before = hash_from(state);
  Hash hash = before;
  clear_upper_halves();
  eighty_steps(w, hash);
  state = state_of({_mm_add_epi32(hash.abcd, before.abcd), _mm_sha1nexte_epu32(hash.e, before.e)});
}

static State after_pad(const Key& key, std::uint8_t pad) {
  Four block[4];
  for (int i = 0; i < 4; ++i) {
    const Four padded = load_four(key.padded.data() + 16 * i);
    block[i] = padded ^ _mm_set1_epi8(static_cast<char>(pad));
  }
  State state = initial_state;
  compress(state, reinterpret_cast<const std::uint8_t*>(block));
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
