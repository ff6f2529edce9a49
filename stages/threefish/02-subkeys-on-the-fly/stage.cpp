// Key schedule on the fly: each subkey is computed where it is added, in 72 unrolled rounds without a table.
#include <bit>
#include <utility>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

// Key and tweak, each with the word computed from the others: a subkey takes four words of the key, two of the tweak.
struct Extended {
  std::uint64_t key[5], tweak[3];
};

Extended extend(const Key& key, const Tweak& tweak) {
  return {{key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]},
          {tweak[0], tweak[1], tweak[0] ^ tweak[1]}};
}

template <int rotation>
void mix(Block& words, unsigned left, unsigned right) {
  words[left] += words[right];
  words[right] = std::rotl(words[right], rotation) ^ words[left];
}

template <int rotation>
void unmix(Block& words, unsigned left, unsigned right) {
  words[right] = std::rotr(words[right] ^ words[left], rotation);
  words[left] -= words[right];
}

// The permutation exchanges words 1 and 3 after each round. No word moves: in odd rounds they exchange their roles.
template <unsigned... round>
[[gnu::always_inline]] inline void mix_rounds(Block& words) {
  ((mix<rotations[round][0]>(words, 0, round % 2 == 0 ? 1 : 3),
    mix<rotations[round][1]>(words, 2, round % 2 == 0 ? 3 : 1)),
   ...);
}

template <unsigned... round>
[[gnu::always_inline]] inline void unmix_rounds(Block& words) {
  ((unmix<rotations[round][0]>(words, 0, round % 2 == 0 ? 1 : 3),
    unmix<rotations[round][1]>(words, 2, round % 2 == 0 ? 3 : 1)),
   ...);
}

template <unsigned s>
[[gnu::always_inline]] inline void add_subkey(Block& words, const Extended& from) {
  words[0] += from.key[s % 5];
  words[1] += from.key[(s + 1) % 5] + from.tweak[s % 3];
  words[2] += from.key[(s + 2) % 5] + from.tweak[(s + 1) % 3];
  words[3] += from.key[(s + 3) % 5] + s;
}

template <unsigned s>
[[gnu::always_inline]] inline void subtract_subkey(Block& words, const Extended& from) {
  words[0] -= from.key[s % 5];
  words[1] -= from.key[(s + 1) % 5] + from.tweak[s % 3];
  words[2] -= from.key[(s + 2) % 5] + from.tweak[(s + 1) % 3];
  words[3] -= from.key[(s + 3) % 5] + s;
}

using Eights = std::make_integer_sequence<unsigned, rounds / 8>;  // groups of eight rounds

template <unsigned... i>
Block encrypt_block(Block words, const Extended& from, std::integer_sequence<unsigned, i...>) {
  ((add_subkey<2 * i>(words, from), mix_rounds<0, 1, 2, 3>(words),  //
    add_subkey<2 * i + 1>(words, from), mix_rounds<4, 5, 6, 7>(words)),
   ...);
  add_subkey<rounds / 4>(words, from);
  return words;
}

template <unsigned... i>
Block decrypt_block(Block words, const Extended& from, std::integer_sequence<unsigned, i...>) {
  constexpr unsigned last = rounds / 4;
  subtract_subkey<last>(words, from);
  ((unmix_rounds<7, 6, 5, 4>(words), subtract_subkey<last - 1 - 2 * i>(words, from),  //
    unmix_rounds<3, 2, 1, 0>(words), subtract_subkey<last - 2 - 2 * i>(words, from)),
   ...);
  return words;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Extended from = extend(key, tweak);
  for (Block& block : blocks) block = encrypt_block(block, from, Eights());
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Extended from = extend(key, tweak);
  for (Block& block : blocks) block = decrypt_block(block, from, Eights());
}

}  // namespace threefish
