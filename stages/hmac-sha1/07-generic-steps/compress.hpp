// SHA-1 compression on words of any type.
#pragma once

#include "hmac-sha1/07-generic-steps/steps.hpp"

namespace hmac_sha1 {

template <class AnyWord, class Replaced = Operations>
static void compress(StateOf<AnyWord>& state, BlockOf<AnyWord>&& w, Replaced operations = {}) {
  eighty_steps(state, w, [](int) {}, operations);
}

static State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, load(block));
  return state;
}

}  // namespace hmac_sha1
