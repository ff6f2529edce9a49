// One block in two vectors, with the subkeys computed on the fly from vectors of key words.
#include <utility>

#include "threefish/threefish.hpp"

namespace threefish {
namespace {

using Pair [[gnu::vector_size(16)]] = std::uint64_t;

struct Pairs {
  Pair even, odd;  // words 0 and 2; words 1 and 3
};

Pairs load(const Block& block) { return {Pair{block[0], block[2]}, Pair{block[1], block[3]}}; }

Block stored(const Pairs& words) { return {words.even[0], words.odd[0], words.even[1], words.odd[1]}; }

// Words of key and tweak, as pairs in the order of the subkeys.
struct Extended {
  Pair key[5], even_tweak[3], odd_tweak[3];
};

Extended extend(const Key& key, const Tweak& tweak) {
  const std::uint64_t k[5] = {key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]};
  const std::uint64_t t[3] = {tweak[0], tweak[1], tweak[0] ^ tweak[1]};
  Extended extended;
  for (unsigned i = 0; i < 5; ++i) extended.key[i] = Pair{k[i], k[(i + 2) % 5]};
  for (unsigned i = 0; i < 3; ++i) extended.even_tweak[i] = Pair{0, t[(i + 1) % 3]};
  for (unsigned i = 0; i < 3; ++i) extended.odd_tweak[i] = Pair{t[i], 0};
  return extended;
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

template <unsigned s>
[[gnu::always_inline]] inline void add_subkey(Pairs& words, const Extended& from) {
  words.even += from.key[s % 5] + from.even_tweak[s % 3];
  words.odd += from.key[(s + 1) % 5] + from.odd_tweak[s % 3] + Pair{0, s};
}

template <unsigned s>
[[gnu::always_inline]] inline void subtract_subkey(Pairs& words, const Extended& from) {
  words.even -= from.key[s % 5] + from.even_tweak[s % 3];
  words.odd -= from.key[(s + 1) % 5] + from.odd_tweak[s % 3] + Pair{0, s};
}

using Eights = std::make_integer_sequence<unsigned, rounds / 8>;  // groups of eight rounds

template <unsigned... i>
Block encrypt_block(Pairs words, const Extended& from, std::integer_sequence<unsigned, i...>) {
  ((add_subkey<2 * i>(words, from), mix_rounds<0, 1, 2, 3>(words),  //
    add_subkey<2 * i + 1>(words, from), mix_rounds<4, 5, 6, 7>(words)),
   ...);
  add_subkey<rounds / 4>(words, from);
  return stored(words);
}

template <unsigned... i>
Block decrypt_block(Pairs words, const Extended& from, std::integer_sequence<unsigned, i...>) {
  constexpr unsigned last = rounds / 4;
  subtract_subkey<last>(words, from);
  ((unmix_rounds<7, 6, 5, 4>(words), subtract_subkey<last - 1 - 2 * i>(words, from),  //
    unmix_rounds<3, 2, 1, 0>(words), subtract_subkey<last - 2 - 2 * i>(words, from)),
   ...);
  return stored(words);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Extended from = extend(key, tweak);
  for (Block& block : blocks) block = encrypt_block(load(block), from, Eights());
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  const Extended from = extend(key, tweak);
  for (Block& block : blocks) block = decrypt_block(load(block), from, Eights());
}

}  // namespace threefish
