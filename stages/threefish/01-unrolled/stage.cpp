// Loop unrolling: with eight rounds in the loop body every rotation is a constant, and the permutation moves no word.
#include <bit>

#include "threefish/00-reference/subkeys.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

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

void add(Block& words, const Block& subkey) {
  for (unsigned i = 0; i < 4; ++i) words[i] += subkey[i];
}

void subtract(Block& words, const Block& subkey) {
  for (unsigned i = 0; i < 4; ++i) words[i] -= subkey[i];
}

Block encrypt_block(Block words, const Subkeys& subkeys) {
  for (unsigned s = 0; s < rounds / 4; s += 2) {
    add(words, subkeys[s]);
    mix_rounds<0, 1, 2, 3>(words);
    add(words, subkeys[s + 1]);
    mix_rounds<4, 5, 6, 7>(words);
  }
  add(words, subkeys[rounds / 4]);
  return words;
}

Block decrypt_block(Block words, const Subkeys& subkeys) {
  subtract(words, subkeys[rounds / 4]);
  for (unsigned s = rounds / 4; s > 0; s -= 2) {
    unmix_rounds<7, 6, 5, 4>(words);
    subtract(words, subkeys[s - 1]);
    unmix_rounds<3, 2, 1, 0>(words);
    subtract(words, subkeys[s - 2]);
  }
  return words;
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& block : blocks) block = encrypt_block(block, subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& block : blocks) block = decrypt_block(block, subkeys);
}

}  // namespace threefish
