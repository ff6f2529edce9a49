// Hashes a group of messages in lanes: a lane whose message has ended keeps its state by a mask.
#pragma once

#include <algorithm>

#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/08-loop-fission/group.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/13-transpose/load.hpp"

namespace hmac_sha1 {

// Lanes without a message repeat the first one. A lane whose message has ended repeats its last block.
static void hash(State* states, const Message* messages, std::size_t count) {
  const auto index = [&](std::size_t lane) { return lane < count ? lane : 0; };
  StateOf<Lanes> joined;
  Lanes blocks;
  std::size_t longest = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (int i = 0; i < 5; ++i) joined[i][lane] = states[index(lane)][i];
    blocks[lane] = static_cast<Word>(messages[index(lane)].blocks);
    longest = std::max(longest, messages[index(lane)].blocks);
  }
  for (std::size_t b = 0; b < longest; ++b) {
    const std::uint8_t* at[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const Message& message = messages[index(lane)];
      at[lane] = message.block(std::min(b, message.blocks - 1));
    }
    const StateOf<Lanes> before = joined;
    compress(joined, load_reversed<Lanes>(at));
    for (int i = 0; i < 5; ++i) joined[i] = blocks > static_cast<Word>(b) ? joined[i] : before[i];
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (int i = 0; i < 5; ++i) states[lane][i] = joined[i][lane];
  }
}

}  // namespace hmac_sha1
