// Use scalar and vector units at the same time: single blocks are interleaved with the sets of vectors.
#include <utility>

#include "threefish/00-reference/subkeys.hpp"
#include "threefish/06-transposed/transpose.hpp"
#include "threefish/08-byte-shuffles/rotate.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

constexpr std::size_t in_flight = width == 8 ? 6 : 3;  // sets
constexpr std::size_t beside = 2;                      // single blocks with them

// A fold, not a loop: GCC unrolls loops too late to keep the sets in registers.
template <class Words, std::size_t count>
[[gnu::always_inline]] inline void each(std::array<Words, count>& sets, auto change) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { (change(sets[i]), ...); }(std::make_index_sequence<count>());
}

// The vectors and the single blocks of a round.
template <std::size_t sets, std::size_t blocks>
struct Mixed {
  std::array<Set, sets> vectors;
  std::array<Block, blocks> scalars;
};

template <std::size_t sets, std::size_t blocks>
[[gnu::always_inline]] inline void each(Mixed<sets, blocks>& mixed, auto change) {
  each(mixed.vectors, change);
  each(mixed.scalars, change);
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

template <std::size_t... i, std::size_t... k>
[[gnu::noinline]] void cipher_mixed(Block* blocks, const auto& ciphered, std::index_sequence<i...>,
                                    std::index_sequence<k...>) {
  Block* const others = blocks + sizeof...(i) * width;
  Mixed<sizeof...(i), sizeof...(k)> mixed{{load(blocks + i * width)...}, {others[k]...}};
  ciphered(mixed);
  (store(blocks + i * width, mixed.vectors[i]), ...);
  ((others[k] = mixed.scalars[k]), ...);
}

template <std::size_t sets, std::size_t blocks>
void cipher_mixed(Block* first, const auto& ciphered) {
  cipher_mixed(first, ciphered, std::make_index_sequence<sets>(), std::make_index_sequence<blocks>());
}

void cipher(std::span<Block> blocks, const auto& ciphered) {
  constexpr std::size_t most = in_flight * width + beside;
  for (; blocks.size() >= most; blocks = blocks.subspan(most)) {
    cipher_mixed<in_flight, beside>(blocks.data(), ciphered);
  }
  for (; blocks.size() >= width; blocks = blocks.subspan(width)) cipher_mixed<1, 0>(blocks.data(), ciphered);
  for (Block& block : blocks) cipher_mixed<0, 1>(&block, ciphered);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto& words) { encrypt_words(words, subkeys); });
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto& words) { decrypt_words(words, subkeys); });
}

}  // namespace threefish
