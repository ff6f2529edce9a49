// 07 Rotations by whole bytes are one shuffle of bytes, where there is no instruction to rotate.
#include <bit>
#include <cstring>
#include <utility>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

using Subkeys = std::array<Block, rounds / 4 + 1>;

Subkeys make_subkeys(const Key& key, const Tweak& tweak) {
  const std::uint64_t words[5] = {key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  const std::uint64_t tweaks[3] = {tweak[0], tweak[1], tweak[0] ^ tweak[1]};
  Subkeys subkeys;
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    for (unsigned i = 0; i < 4; ++i) subkeys[s][i] = words[(s + i) % 5];
    subkeys[s][1] += tweaks[s % 3];
    subkeys[s][2] += tweaks[(s + 1) % 3];
    subkeys[s][3] += s;
  }
  return subkeys;
}

#if defined(__AVX512F__)
constexpr std::size_t width = 8;
#elif defined(__AVX2__)
constexpr std::size_t width = 4;
#else
constexpr std::size_t width = 2;  // SSE2, NEON
#endif
using Lanes [[gnu::vector_size(8 * width)]] = std::uint64_t;  // the same word of so many blocks
using Set = std::array<Lanes, 4>;
constexpr std::size_t in_flight = width == 8 ? 4 : 2;  // sets

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

// The sets must end up in registers, so the loop over them has to go: GCC needs to be told.
template <class Words, std::size_t count>
[[gnu::always_inline]] inline void each(std::array<Words, count>& sets, auto change) {
#pragma GCC unroll 8
  for (Words& words : sets) change(words);
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

// The permutation exchanges words 1 and 3 after each round. Nothing has to move: in odd rounds they change their roles.
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
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) each(sets, [&](auto& words) { words[i] += subkey[i]; });
}

[[gnu::always_inline]] inline void subtract(auto& sets, const Block& subkey) {
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) each(sets, [&](auto& words) { words[i] -= subkey[i]; });
}

auto encrypt_words(auto words, const Subkeys& subkeys) {
  for (unsigned s = 0; s < rounds / 4; s += 2) {
    add(words, subkeys[s]);
    mix_rounds<0, 1, 2, 3>(words);
    add(words, subkeys[s + 1]);
    mix_rounds<4, 5, 6, 7>(words);
  }
  add(words, subkeys[rounds / 4]);
  return words;
}

auto decrypt_words(auto words, const Subkeys& subkeys) {
  subtract(words, subkeys[rounds / 4]);
  for (unsigned s = rounds / 4; s > 0; s -= 2) {
    unmix_rounds<7, 6, 5, 4>(words);
    subtract(words, subkeys[s - 1]);
    unmix_rounds<3, 2, 1, 0>(words);
    subtract(words, subkeys[s - 2]);
  }
  return words;
}

// Exchanges the odd groups of `span` words in `a` for the even ones in `b`.
template <std::size_t span, std::size_t... i>
void exchange(Lanes& a, Lanes& b, std::index_sequence<i...>) {
  const Lanes even = __builtin_shufflevector(a, b, (i & span ? width + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? width + i : i + span)...);
  a = even;
}

// From rows of neighbouring words to rows of equal words, and back. Which lane belongs to which block does not matter.
void transpose(Set& rows) {
  constexpr auto lanes = std::make_index_sequence<width>();
  exchange<1>(rows[0], rows[1], lanes);
  exchange<1>(rows[2], rows[3], lanes);
  if constexpr (width > 2) {
    exchange<2>(rows[0], rows[2], lanes);
    exchange<2>(rows[1], rows[3], lanes);
  }
}

// Where row i of a set is: with two lanes, a block is two rows that another block's must come between.
constexpr std::size_t place[4] = {0, width == 2 ? 2 * width : width, width == 2 ? width : 2 * width, 3 * width};

Set load(const Block* blocks) {
  Set rows;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) std::memcpy(&rows[i], blocks->data() + place[i], sizeof(Lanes));
  transpose(rows);
  return rows;
}

void store(Block* blocks, Set rows) {
  transpose(rows);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) std::memcpy(blocks->data() + place[i], &rows[i], sizeof(Lanes));
}

template <std::size_t count>
void cipher_sets(Block* blocks, const auto& ciphered) {
  std::array<Set, count> sets;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) sets[i] = load(blocks + i * width);
  sets = ciphered(sets);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < count; ++i) store(blocks + i * width, sets[i]);
}

void cipher(std::span<Block> blocks, const auto& ciphered) {
  constexpr std::size_t most = in_flight * width;
  for (; blocks.size() >= most; blocks = blocks.subspan(most)) cipher_sets<in_flight>(blocks.data(), ciphered);
  for (; blocks.size() >= width; blocks = blocks.subspan(width)) cipher_sets<1>(blocks.data(), ciphered);
  for (Block& block : blocks) block = ciphered(std::array<Block, 1>{block})[0];
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto words) { return encrypt_words(words, subkeys); });
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto words) { return decrypt_words(words, subkeys); });
}

}  // namespace threefish
