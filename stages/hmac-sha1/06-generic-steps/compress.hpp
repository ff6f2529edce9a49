// SHA-1 compression on words of any type.
#pragma once

#include <utility>

#include "hmac-sha1/06-generic-steps/steps.hpp"

namespace hmac_sha1 {

template <class AnyWord>
static void compress(StateOf<AnyWord>& state, BlockOf<AnyWord>&& w, auto operations) {
  eighty_steps(state, w, [](int) {}, operations);
}

template <class AnyWord>
static void compress(StateOf<AnyWord>& state, BlockOf<AnyWord>&& w) {
  compress(state, std::move(w), Operations{});
}

static inline State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, load(block));
  return state;
}

}  // namespace hmac_sha1
