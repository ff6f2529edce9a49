// The four workloads of "Processing Multiple Buffers in Parallel to Increase Performance" (Intel, 2010): lengths of
// buffers.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "common/bytes.hpp"

namespace ladder {

constexpr unsigned mixes = 4;

// Lengths in bytes, each rounded down to a multiple of `unit` (a block of the cipher; 1 for a hash). The order is
// pseudo-random and the same on every machine. All buffers of mix 0 have `least` bytes.
inline std::vector<std::size_t> mix(unsigned number, std::size_t buffers, std::size_t least, std::size_t unit) {
  Generator generator(number);
  std::vector<std::size_t> lengths(buffers);
  for (std::size_t i = 0; i < buffers; ++i) {
    const std::size_t percent = i * 100 / buffers;
    if (number == 0) lengths[i] = least;
    if (number == 1) lengths[i] = percent < 66 ? 64 : percent < 87 ? 544 : 1'360;
    if (number == 2) {
      lengths[i] = percent < 40   ? generator.between(48, 100)
                   : percent < 60 ? generator.between(101, 1'023)
                                  : generator.between(1'024, 1'450);
    }
    if (number == 3) lengths[i] = 2'048;
    lengths[i] -= lengths[i] % unit;
  }
  for (std::size_t i = buffers; i > 1; --i) std::swap(lengths[i - 1], lengths[generator.between(0, i - 1)]);
  return lengths;
}

}  // namespace ladder
