// Four interleaved streams of SHA instructions: while one message waits for an instruction, three others use the unit.
// requires: x86-64 ssse3 sse4.1 sha
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/19-sha-streams/steps.hpp"
#include "hmac-sha1/19-sha-streams/streams.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

template <std::size_t streams>
void compress(Hash (&state)[streams], Four (&w)[streams][4], const Four (&live)[streams]) {
  Hash hash[streams];
  copy(hash, state);
  eighty_steps(w, hash);
  add(state, hash, live);
}

struct Compress {
  template <std::size_t streams>
  void operator()(Hash (&state)[streams], auto&& words, const Four (&live)[streams]) const {
    Four w[streams][4];
    for (std::size_t s = 0; s < streams; ++s) {
      for (int g = 0; g < 4; ++g) w[s][g] = words(s, g);
    }
    compress(state, w, live);
  }
};

State after_pad(const Key& key, std::uint8_t pad) { return after_pad(key, pad, Compress{}); }

}  // namespace

struct Manager : ladder::Gathering<Job, StreamProcessor<Compress>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
