// One block per lane: a vector holds the same word of several blocks, and the code of the rounds stays the same.
#include "threefish/00-reference/subkeys.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t width = 8;
#elif defined(__AVX2__)
constexpr std::size_t width = 4;
#else
constexpr std::size_t width = 2;  // SSE2, NEON
#endif
using Lanes [[gnu::vector_size(8 * width)]] = std::uint64_t;  // the same word of that many blocks
using Set = std::array<Lanes, 4>;

// Lane k belongs to block k.
Set load(const Block* blocks) {
  Set words;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < width; ++k) words[i][k] = blocks[k][i];
  }
  return words;
}

void store(Block* blocks, const Set& words) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < width; ++k) blocks[k][i] = words[i][k];
  }
}

template <int n>
auto rotl(auto word) {
  return word << n | word >> (64 - n);
}

template <int rotation>
void mix(auto& words, unsigned left, unsigned right) {
  words[left] += words[right];
  words[right] = rotl<rotation>(words[right]) ^ words[left];
}

template <int rotation>
void unmix(auto& words, unsigned left, unsigned right) {
  words[right] = rotl<64 - rotation>(words[right] ^ words[left]);
  words[left] -= words[right];
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

void add(auto& words, const Block& subkey) {
  for (unsigned i = 0; i < 4; ++i) words[i] += subkey[i];
}

void subtract(auto& words, const Block& subkey) {
  for (unsigned i = 0; i < 4; ++i) words[i] -= subkey[i];
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

void cipher(std::span<Block> blocks, const auto& ciphered) {
  for (; blocks.size() >= width; blocks = blocks.subspan(width)) store(blocks.data(), ciphered(load(blocks.data())));
  for (Block& block : blocks) block = ciphered(block);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto words) { return encrypt_words(words, subkeys); });
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, [subkeys = make_subkeys(key, tweak)](auto words) { return decrypt_words(words, subkeys); });
}

}  // namespace threefish
