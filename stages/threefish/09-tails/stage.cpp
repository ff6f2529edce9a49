// 09 Tails: what is left over goes through together, in a copy that is filled up to whole sets.
#include <algorithm>
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
constexpr std::size_t in_flight = width == 8 ? 6 : 3;  // sets

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

// No loop: the sets have to be in registers, and GCC unrolls loops too late for that.
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

// Exchanges the odd groups of `span` words in `a` for the even ones in `b`.
template <std::size_t span, std::size_t... i>
[[gnu::always_inline]] inline void exchange(Lanes& a, Lanes& b, std::index_sequence<i...>) {
  const Lanes even = __builtin_shufflevector(a, b, (i & span ? width + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? width + i : i + span)...);
  a = even;
}

// From rows of neighbouring words to rows of equal words, and back. Which lane belongs to which block does not matter.
[[gnu::always_inline]] inline void transpose(Set& rows) {
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

[[gnu::always_inline]] inline Set load(const Block* blocks) {
  Set rows;
  std::memcpy(&rows[0], blocks->data() + place[0], sizeof(Lanes));
  std::memcpy(&rows[1], blocks->data() + place[1], sizeof(Lanes));
  std::memcpy(&rows[2], blocks->data() + place[2], sizeof(Lanes));
  std::memcpy(&rows[3], blocks->data() + place[3], sizeof(Lanes));
  transpose(rows);
  return rows;
}

[[gnu::always_inline]] inline void store(Block* blocks, Set rows) {
  transpose(rows);
  std::memcpy(blocks->data() + place[0], &rows[0], sizeof(Lanes));
  std::memcpy(blocks->data() + place[1], &rows[1], sizeof(Lanes));
  std::memcpy(blocks->data() + place[2], &rows[2], sizeof(Lanes));
  std::memcpy(blocks->data() + place[3], &rows[3], sizeof(Lanes));
}

// Not inlined itself: nothing else shall share its registers.
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

// Fewer blocks than `in_flight` sets, in a copy that is filled up to whole sets.
template <std::size_t count = 1>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  if constexpr (count < in_flight) {
    if (rest.size() > count * width) return cipher_rest<count + 1>(rest, ciphered);
  }
  std::array<Block, count * width> filled{};
  std::copy(rest.begin(), rest.end(), filled.begin());
  cipher_sets<count>(filled.data(), ciphered);
  std::copy_n(filled.begin(), rest.size(), rest.begin());
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
