// Two interleaved streams: while one message waits for its last step, the core works on the other.
#include <algorithm>
#include <utility>

#include "common/multibuffer/waiting.hpp"
#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/08-loop-fission/group.hpp"
#include "hmac-sha1/09-two-streams/pair.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

constexpr std::size_t streams = 2;

// Two messages go together as far as the shorter one has blocks. The rest is hashed alone, and so is a single message.
void hash(State* states, const Message* messages, std::size_t count) {
  std::size_t common = 0;
  if (count == streams) {
    common = std::min(messages[0].blocks, messages[1].blocks);
    StateOf<Pair<Word>> joined;
    for (int i = 0; i < 5; ++i) joined[i] = {states[0][i], states[1][i]};
    for (std::size_t b = 0; b < common; ++b) {
      const Block first = load(messages[0].block(b)), second = load(messages[1].block(b));
      BlockOf<Pair<Word>> w;
      for (std::size_t i = 0; i < words; ++i) w[i] = {first[i], second[i]};
      compress(joined, std::move(w));
    }
    for (int i = 0; i < 5; ++i) states[0][i] = joined[i].a, states[1][i] = joined[i].b;
  }
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t b = common; b < messages[s].blocks; ++b) compress(states[s], load(messages[s].block(b)));
  }
}

struct Processor {
  void operator()(std::span<Job* const> jobs) const { hash_group<streams>(jobs, hash); }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, streams, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
