// Rotation of a word to the left; with AVX2, by whole bytes, as one shuffle of bytes.
#pragma once

#include <bit>

#include "threefish/06-transposed/transpose.hpp"

namespace threefish {
namespace {

#if defined(__AVX2__) && !defined(__AVX512F__)
constexpr bool shuffles_bytes = true;
#else
constexpr bool shuffles_bytes = false;  // AVX-512 rotates; SSE2 cannot shuffle bytes
#endif
using Bytes [[gnu::vector_size(8 * width)]] = std::uint8_t;

template <int n, std::size_t... i>
Lanes rotl_bytes(Lanes words, std::index_sequence<i...>) {
  const auto bytes = std::bit_cast<Bytes>(words);
  return std::bit_cast<Lanes>(__builtin_shufflevector(bytes, bytes, (i / 8 * 8 + (i - n / 8) % 8)...));
}

template <int n, class Word>
Word rotl(Word word) {
  if constexpr (shuffles_bytes && n % 8 == 0 && sizeof(Word) == sizeof(Lanes)) {
    return rotl_bytes<n>(word, std::make_index_sequence<sizeof(Lanes)>());
  } else {
    return word << n | word >> (64 - n);
  }
}

}  // namespace
}  // namespace threefish
