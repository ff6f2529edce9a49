// Pad the tail: the blocks left over are copied into whole sets and go through the rounds together.
#include <algorithm>
#include <utility>

#include "threefish/00-reference/subkeys.hpp"
#include "threefish/06-transposed/transpose.hpp"
#include "threefish/08-byte-shuffles/rotate.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

constexpr std::size_t in_flight = width == 8 ? 6 : 3;  // sets

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

[[gnu::always_inline]] inline void encrypt_words(auto& words, const Subkeys& subkeys) {
  for (unsigned s = 0; s < rounds / 4; s += 2) {
    add(words, subkeys[s]);
    mix_rounds<0, 1, 2, 3>(words);
    add(words, subkeys[s + 1]);
    mix_rounds<4, 5, 6, 7>(words);
  }
  add(words, subkeys[rounds / 4]);
}

[[gnu::always_inline]] inline void decrypt_words(auto& words, const Subkeys& subkeys) {
  subtract(words, subkeys[rounds / 4]);
  for (unsigned s = rounds / 4; s > 0; s -= 2) {
    unmix_rounds<7, 6, 5, 4>(words);
    subtract(words, subkeys[s - 1]);
    unmix_rounds<3, 2, 1, 0>(words);
    subtract(words, subkeys[s - 2]);
  }
}

// Not inlined, so that the sets have all registers for themselves.
template <std::size_t... i>
[[gnu::noinline]] void cipher_sets(Block* blocks, const auto& ciphered, std::index_sequence<i...>) {
  std::array<Set, sizeof...(i)> sets{load(blocks + i * width)...};
  ciphered(sets);
  (store(blocks + i * width, sets[i]), ...);
}

template <std::size_t count>
void cipher_sets(Block* blocks, const auto& ciphered) {
  cipher_sets(blocks, ciphered, std::make_index_sequence<count>());
}

// Fewer blocks than `in_flight` sets, in a copy that is padded to whole sets.
template <std::size_t count = 1>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  if constexpr (count < in_flight) {
    if (rest.size() > count * width) return cipher_rest<count + 1>(rest, ciphered);
  }
  std::array<Block, count * width> padded{};
  std::copy(rest.begin(), rest.end(), padded.begin());
  cipher_sets<count>(padded.data(), ciphered);
  std::copy_n(padded.begin(), rest.size(), rest.begin());
}

void cipher(std::span<Block> blocks, const auto& ciphered) {
  constexpr std::size_t most = in_flight * width;
  for (; blocks.size() >= most; blocks = blocks.subspan(most)) cipher_sets<in_flight>(blocks.data(), ciphered);
  if (!blocks.empty()) cipher_rest(blocks, ciphered);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto& words) { encrypt_words(words, subkeys); });
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto& words) { decrypt_words(words, subkeys); });
}

}  // namespace threefish
