// One block in two vectors, with words 0 and 2 and words 1 and 3: one vector operation serves both mixes of a round.
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

using Pair [[gnu::vector_size(16)]] = std::uint64_t;

struct Pairs {
  Pair even, odd;  // words 0 and 2; words 1 and 3
};

Pairs load(const Block& block) { return {Pair{block[0], block[2]}, Pair{block[1], block[3]}}; }

Block stored(const Pairs& words) { return {words.even[0], words.odd[0], words.even[1], words.odd[1]}; }

using Subkeys = std::array<Pairs, rounds / 4 + 1>;

Subkeys make_subkeys(const Key& key, const Tweak& tweak) {
  const std::uint64_t words[5] = {key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  const std::uint64_t tweaks[3] = {tweak[0], tweak[1], tweak[0] ^ tweak[1]};
  Subkeys subkeys;
  for (unsigned s = 0; s < subkeys.size(); ++s) {
    Block subkey;
    for (unsigned i = 0; i < 4; ++i) subkey[i] = words[(s + i) % 5];
    subkey[1] += tweaks[s % 3];
    subkey[2] += tweaks[(s + 1) % 3];
    subkey[3] += s;
    subkeys[s] = load(subkey);
  }
  return subkeys;
}

template <int left, int right>
Pair rotl(Pair words) {
#ifdef __AVX2__  // shifts each lane by a number of its own
  return words << Pair{left, right} | words >> Pair{64 - left, 64 - right};
#else
  const Pair by_left = words << left | words >> (64 - left), by_right = words << right | words >> (64 - right);
  return __builtin_shufflevector(by_left, by_right, 0, 3);
#endif
}

Pair exchanged(Pair words) { return __builtin_shufflevector(words, words, 1, 0); }

// One vector mix is both mixes of the round. The permutation exchanges words 1 and 3.
template <unsigned... round>
[[gnu::always_inline]] inline void mix_rounds(Pairs& words) {
  ((words.even += words.odd,
    words.odd = exchanged(rotl<rotations[round][0], rotations[round][1]>(words.odd) ^ words.even)),
   ...);
}

template <unsigned... round>
[[gnu::always_inline]] inline void unmix_rounds(Pairs& words) {
  ((words.odd = rotl<64 - rotations[round][0], 64 - rotations[round][1]>(exchanged(words.odd) ^ words.even),
    words.even -= words.odd),
   ...);
}

void add(Pairs& words, const Pairs& subkey) {
  words.even += subkey.even;
  words.odd += subkey.odd;
}

void subtract(Pairs& words, const Pairs& subkey) {
  words.even -= subkey.even;
  words.odd -= subkey.odd;
}

Block encrypt_block(Pairs words, const Subkeys& subkeys) {
  for (unsigned s = 0; s < rounds / 4; s += 2) {
    add(words, subkeys[s]);
    mix_rounds<0, 1, 2, 3>(words);
    add(words, subkeys[s + 1]);
    mix_rounds<4, 5, 6, 7>(words);
  }
  add(words, subkeys[rounds / 4]);
  return stored(words);
}

Block decrypt_block(Pairs words, const Subkeys& subkeys) {
  subtract(words, subkeys[rounds / 4]);
  for (unsigned s = rounds / 4; s > 0; s -= 2) {
    unmix_rounds<7, 6, 5, 4>(words);
    subtract(words, subkeys[s - 1]);
    unmix_rounds<3, 2, 1, 0>(words);
    subtract(words, subkeys[s - 2]);
  }
  return stored(words);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& block : blocks) block = encrypt_block(load(block), subkeys);
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Subkeys subkeys = make_subkeys(key, tweak);
  for (Block& block : blocks) block = decrypt_block(load(block), subkeys);
}

}  // namespace threefish
