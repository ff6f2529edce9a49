// Without the steps: the words of a block are only added, so that a program loads blocks and does all else.
#pragma once

#include "hmac-sha1/07-generic-steps/any_word.hpp"

namespace hmac_sha1 {

template <class AnyWord>
[[gnu::always_inline]] static inline void eighty_steps(StateOf<AnyWord>& state, BlockOf<AnyWord>& w, auto load,
                                                       auto /*operations*/) {
  for (int t = 0; t < 16; t += 4) load(t);
  for (std::size_t i = 0; i < words; ++i) state[i % 4] = state[i % 4] + w[i];
}

}  // namespace hmac_sha1
