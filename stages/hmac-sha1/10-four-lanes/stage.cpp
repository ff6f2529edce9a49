// SIMD across messages: a vector holds the same word of four messages, one in each lane.
#include <algorithm>
#include <utility>

#include "common/multibuffer/waiting.hpp"
#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/08-loop-fission/group.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

constexpr std::size_t lanes = 4;

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

// A full group goes together as far as the shortest message has blocks. The rest is hashed alone, and so is a smaller
// group.
void hash(State* states, const Message* messages, std::size_t count) {
  std::size_t common = 0;
  if (count == lanes) {
    common = messages[0].blocks;
    StateOf<Lanes> joined;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      common = std::min(common, messages[lane].blocks);
      for (int i = 0; i < 5; ++i) joined[i][lane] = states[lane][i];
    }
    for (std::size_t b = 0; b < common; ++b) {
      BlockOf<Lanes> w;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Block block = load(messages[lane].block(b));
        for (std::size_t i = 0; i < words; ++i) w[i][lane] = block[i];
      }
      compress(joined, std::move(w));
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (int i = 0; i < 5; ++i) states[lane][i] = joined[i][lane];
    }
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (std::size_t b = common; b < messages[lane].blocks; ++b) compress(states[lane], load(messages[lane].block(b)));
  }
}

struct Processor {
  void operator()(std::span<Job* const> jobs) const { hash_group<lanes>(jobs, hash); }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, lanes, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
