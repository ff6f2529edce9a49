// SHA-1 compression of four streams, as part of the loop over blocks.
#pragma once

#include "hmac-sha1/25-on-the-fly-schedule/steps.hpp"

namespace hmac_sha1 {

template <class Barriers = NoBarriers>
struct Compress {
  template <std::size_t streams>
  [[gnu::always_inline]] void operator()(Hash (&state)[streams], auto&& words, const Four (&live)[streams]) const {
    Hash hash[streams];
    Barriers::copy(hash, state);
    eighty_steps(words, hash, Barriers{});
    add(state, hash, live);
  }
};

}  // namespace hmac_sha1
