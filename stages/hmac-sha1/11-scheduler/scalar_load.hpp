// Loads the words of each lane one by one.
#pragma once

#include "hmac-sha1/07-generic-steps/any_word.hpp"

namespace hmac_sha1 {

template <class Lanes>
struct ScalarLoad {
  BlockOf<Lanes> operator()(const std::uint8_t* const* at) const {
    BlockOf<Lanes> w;
    for (std::size_t i = 0; i < sizeof(Lanes) / sizeof(Word); ++i) {
      const Block block = load(at[i]);
      for (std::size_t t = 0; t < words; ++t) w[t][i] = block[t];
    }
    return w;
  }
};

}  // namespace hmac_sha1
