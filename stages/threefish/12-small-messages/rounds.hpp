// All rounds, forwards and backwards, of blocks that go together: single ones, or sets of them in vectors.
#pragma once

#include <utility>

#include "threefish/08-byte-shuffles/rotate.hpp"
#include "threefish/12-small-messages/subkeys.hpp"

namespace threefish {
namespace {

// A fold, not a loop: GCC unrolls loops too late to keep the sets in registers.
template <class Words, std::size_t count>
[[gnu::always_inline]] inline void each(std::array<Words, count>& sets, auto change) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { (change(sets[i]), ...); }(std::make_index_sequence<count>());
}

template <int rotation>
[[gnu::always_inline]] inline void mix(auto& sets, unsigned left, unsigned right) {
  each(sets, [=](auto& words) {
    words[left] += words[right];
    words[right] = rotl<rotation>(words[right]) ^ words[left];
  });
}

template <int rotation>
[[gnu::always_inline]] inline void unmix(auto& sets, unsigned left, unsigned right) {
  each(sets, [=](auto& words) {
    words[right] = rotl<64 - rotation>(words[right] ^ words[left]);
    words[left] -= words[right];
  });
}

// The permutation exchanges words 1 and 3 after each round. No word moves: in odd rounds they exchange their roles.
template <unsigned... round>
[[gnu::always_inline]] inline void mix_rounds(auto& words) {
  ((mix<rotations[round][0]>(words, 0, round % 2 == 0 ? 1 : 3),
    mix<rotations[round][1]>(words, 2, round % 2 == 0 ? 3 : 1)),
   ...);
}

template <unsigned... round>
[[gnu::always_inline]] inline void unmix_rounds(auto& words) {
  ((unmix<rotations[round][0]>(words, 0, round % 2 == 0 ? 1 : 3),
    unmix<rotations[round][1]>(words, 2, round % 2 == 0 ? 3 : 1)),
   ...);
}

[[gnu::always_inline]] inline void add(auto& sets, const Block& subkey) {
  each(sets, [&](auto& words) {
    words[0] += subkey[0], words[1] += subkey[1], words[2] += subkey[2], words[3] += subkey[3];
  });
}

[[gnu::always_inline]] inline void subtract(auto& sets, const Block& subkey) {
  each(sets, [&](auto& words) {
    words[0] -= subkey[0], words[1] -= subkey[1], words[2] -= subkey[2], words[3] -= subkey[3];
  });
}

[[gnu::always_inline]] inline void encrypt_words(auto& words, const auto& subkeys) {
  each_eight(subkeys, [&](unsigned s) __attribute__((always_inline)) {
    add(words, subkey(subkeys, s));
    mix_rounds<0, 1, 2, 3>(words);
    add(words, subkey(subkeys, s + 1));
    mix_rounds<4, 5, 6, 7>(words);
  });
  add(words, subkey(subkeys, last));
}

[[gnu::always_inline]] inline void decrypt_words(auto& words, const auto& subkeys) {
  subtract(words, subkey(subkeys, last));
  each_eight(subkeys, [&](unsigned s) __attribute__((always_inline)) {
    unmix_rounds<7, 6, 5, 4>(words);
    subtract(words, subkey(subkeys, last - 1 - s));
    unmix_rounds<3, 2, 1, 0>(words);
    subtract(words, subkey(subkeys, last - 2 - s));
  });
}

}  // namespace
}  // namespace threefish
