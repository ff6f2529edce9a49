// Lanes that refill: each absorbs its own message block by block, and takes the next message when that one has ended.
#pragma once

#include <cstring>

#include "sha3/14-transpose/transposition.hpp"

namespace sha3 {

// What is left of a message.
template <std::size_t rate>
struct Job {
  const Message* message = nullptr;  // null where the lane has none
  const std::uint8_t* in = nullptr;
  std::size_t size = 0;
  std::uint8_t last[rate] = {};  // the last block, with its padding

  // Takes the first of `messages`; false if there is none.
  bool begin(std::span<const Message>& messages) {
    message = messages.empty() ? nullptr : &messages.front();
    if (!message) return false;
    in = message->data;
    size = message->size;
    messages = messages.subspan(1);
    return true;
  }

  // The next block. A lane without a message absorbs an old block or zeros, and its state is not used.
  const std::uint8_t* block() {
    if (message && size >= rate) return in;
    if (!message) return last;
    std::memset(last, 0, rate);
    if (size > 0) std::memcpy(last, in, size);
    last[size] ^= padding;
    last[rate - 1] ^= 0x80;
    return last;
  }

  // Moves on after a block was absorbed. True if that was the last block of a message.
  bool ends() {
    if (!message || size < rate) return message;
    in += rate;
    size -= rate;
    return false;
  }
};

// Messages of any sizes. The last one is handed to `go_on` with its state, because empty lanes beside it are of no use.
template <std::size_t rate, class Lanes, class GoOn>
void hash_in_lanes(std::span<const Message> messages, GoOn go_on) {
  constexpr std::size_t width = sizeof(Lanes) / 8;
  State<Lanes> state{};
  Job<rate> jobs[width];
  std::size_t busy = 0;
  for (Job<rate>& job : jobs) busy += job.begin(messages);
  while (busy > 1) {
    const std::uint8_t* in[width];
    for (std::size_t k = 0; k < width; ++k) in[k] = jobs[k].block();
    absorb(state, in, rate / 8);
    permute(state);
    Lanes keep = ~Lanes{};
    for (std::size_t k = 0; k < width; ++k) {
      if (!jobs[k].ends()) continue;
      for (std::size_t i = 0; i < (state_bytes - rate) / 16; ++i) {
        const Lane word = state[i][k];  // Clang 15 takes no address of a place in a vector
        std::memcpy(jobs[k].message->digest + 8 * i, &word, 8);
      }
      keep[k] = 0;
      busy -= !jobs[k].begin(messages);
    }
    for (Lanes& lane : state) lane &= keep;
  }
  for (std::size_t k = 0; k < width; ++k) {
    if (!jobs[k].message) continue;
    State<Lane> own;
    for (std::size_t i = 0; i < lanes; ++i) own[i] = state[i][k];
    go_on(*jobs[k].message, jobs[k].in, jobs[k].size, own);
  }
}

}  // namespace sha3
