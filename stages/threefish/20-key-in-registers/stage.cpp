// Scalar replacement: kernels for few blocks extend the key themselves, so no vector holds it and passes it on.
// lacks: x86-32
#include <algorithm>
#include <bit>
#include <utility>

#include "threefish/06-transposed/transpose.hpp"
#include "threefish/08-byte-shuffles/rotate.hpp"
#include "threefish/16-interleaving-barrier/barrier.hpp"
#include "threefish/threefish.hpp"

namespace threefish {
namespace {

constexpr unsigned last = rounds / 4;  // subkey

// Key and tweak, each with the word that is computed from the others.
struct Extended {
  std::uint64_t key[5], tweak[3];
};

Extended extend(const Key& key, const Tweak& tweak) {
  return {{key[0], key[1], key[2], key[3], parity ^ key[0] ^ key[1] ^ key[2] ^ key[3]},
          {tweak[0], tweak[1], tweak[0] ^ tweak[1]}};
}

Block subkey(const Extended& from, unsigned s) {
  return {from.key[s % 5], from.key[(s + 1) % 5] + from.tweak[s % 3], from.key[(s + 2) % 5] + from.tweak[(s + 1) % 3],
          from.key[(s + 3) % 5] + s};
}

using Subkeys = std::array<Block, last + 1>;

using Four = std::uint64_t __attribute__((vector_size(sizeof(Block))));

// Two vectors give subkey s: words s to s + 3 of the key, modulo 5, and what is added to them. No loop, so that their
// numbers are constants.
template <unsigned... s>
Subkeys make_subkeys(const Extended& from, std::integer_sequence<unsigned, s...>) {
  const auto& [key, tweak] = from;
  const Four keys[] = {{key[0], key[1], key[2], key[3]},
                       {key[1], key[2], key[3], key[4]},
                       {key[2], key[3], key[4], key[0]},
                       {key[3], key[4], key[0], key[1]},
                       {key[4], key[0], key[1], key[2]}};
  const Four tweaks[] = {{0, tweak[0], tweak[1], 0}, {0, tweak[1], tweak[2], 0}, {0, tweak[2], tweak[0], 0}};
  return {std::bit_cast<Block>(keys[s % 5] + tweaks[s % 3] + Four{0, 0, 0, s})...};
}

const Block& subkey(const Subkeys& subkeys, unsigned s) { return subkeys[s]; }

// The limits of a level. Trials chose `few`: on Zen 5 for x86-64-v4, on Zen 3 for x86-64-v3. x86-64 keeps the four of
// stage kernel-selection; no other number was tried there.
struct Limits {
  std::size_t few;           // so many blocks, or fewer, go through scalar registers alone
  std::size_t sets, beside;  // else so many sets of vectors go together, each with so many single blocks, 0 or 1
};

constexpr Limits limits = width == 8   ? Limits{.few = 3, .sets = 6, .beside = 0}  // 32 registers
                          : width == 4 ? Limits{.few = 3, .sets = 3, .beside = 1}
                                       : Limits{.few = 4, .sets = 3, .beside = 1};

// A fold, not a loop: GCC unrolls loops too late to keep the sets in registers.
template <class Words, std::size_t count>
[[gnu::always_inline]] inline void each(std::array<Words, count>& sets, auto change) {
  [&]<std::size_t... i>(std::index_sequence<i...>) { (change(sets[i]), ...); }(std::make_index_sequence<count>());
}

template <std::size_t sets, std::size_t singles>
struct Mixed {
  std::array<Set, sets> vectors;
  std::array<Block, singles> scalars;
};

// A set and a single block in turn, then what there is more of.
template <std::size_t sets, std::size_t singles>
[[gnu::always_inline]] inline void each(Mixed<sets, singles>& mixed, auto change) {
  constexpr std::size_t both = std::min(sets, singles);
  [&]<std::size_t... i, std::size_t... v, std::size_t... s>(std::index_sequence<i...>, std::index_sequence<v...>,
                                                            std::index_sequence<s...>) __attribute__((always_inline)) {
    ((change(mixed.vectors[i]), change(mixed.scalars[i])), ...);
    (change(mixed.vectors[both + v]), ...);
    (change(mixed.scalars[both + s]), ...);
  }(std::make_index_sequence<both>(), std::make_index_sequence<sets - both>(),
    std::make_index_sequence<singles - both>());
}

// Only vectors and scalars can come apart.
template <std::size_t count>
[[gnu::always_inline]] inline void interleave(std::array<Block, count>&, unsigned) {}

template <std::size_t sets, std::size_t singles>
[[gnu::always_inline]] inline void interleave(Mixed<sets, singles>& mixed, unsigned word) {
  [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
    (keep_together(mixed.vectors[i][word], mixed.scalars[i][word]), ...);
  }(std::make_index_sequence<std::min(sets, singles)>());
}

template <int rotation>
[[gnu::always_inline]] inline void mix(auto& sets, unsigned left, unsigned right) {
  each(sets, [=](auto& words) {
    words[left] += words[right];
    words[right] = rotl<rotation>(words[right]) ^ words[left];
  });
  interleave(sets, right);
}

template <int rotation>
[[gnu::always_inline]] inline void unmix(auto& sets, unsigned left, unsigned right) {
  each(sets, [=](auto& words) {
    words[right] = rotl<64 - rotation>(words[right] ^ words[left]);
    words[left] -= words[right];
  });
  interleave(sets, left);
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
  interleave(sets, 0), interleave(sets, 1), interleave(sets, 2), interleave(sets, 3);
}

[[gnu::always_inline]] inline void subtract(auto& sets, const Block& subkey) {
  each(sets, [&](auto& words) {
    words[0] -= subkey[0], words[1] -= subkey[1], words[2] -= subkey[2], words[3] -= subkey[3];
  });
  interleave(sets, 0), interleave(sets, 1), interleave(sets, 2), interleave(sets, 3);
}

// Eight rounds at a time; s counts subkeys, from the first or from the last. With a table this is a loop. On the fly
// there is no loop, so that every index into key and tweak is a constant.
[[gnu::always_inline]] inline void each_eight(const Subkeys&, auto step) {
  for (unsigned s = 0; s < last; s += 2) step(s);
}

[[gnu::always_inline]] inline void each_eight(const Extended&, auto step) {
  [&]<unsigned... i>(std::integer_sequence<unsigned, i...>) {
    (step(2 * i), ...);
  }(std::make_integer_sequence<unsigned, last / 2>());
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

// The single blocks are the last ones. Without them the last set ends with the blocks, and may overlap the set before.
// All blocks are loaded before the first is stored, so blocks that are there twice get the same result twice. The span
// of a whole group has a static size, so its places are constants. Not inlined, so that the sets have all registers for
// themselves. With kernels for groups and for rests, GCC and Clang inline all rounds only by `flatten`.
template <std::size_t... i, std::size_t... k>
[[gnu::noinline, gnu::flatten]] void cipher_mixed(auto blocks, const auto& ciphered, std::index_sequence<i...>,
                                                  std::index_sequence<k...>) {
  constexpr std::size_t sets = sizeof...(i), singles = sizeof...(k);
  Block* const others = blocks.data() + blocks.size() - singles;
  const auto begin = [&](std::size_t set) {
    return singles == 0 && set == sets - 1 ? others - width : blocks.data() + set * width;
  };
  Mixed<sets, singles> mixed{{load(begin(i))...}, {others[k]...}};
  ciphered(mixed);
  (store(begin(i), mixed.vectors[i]), ...);
  ((others[k] = mixed.scalars[k]), ...);
}

template <std::size_t sets, std::size_t singles>
void cipher_mixed(auto blocks, const auto& ciphered) {
  cipher_mixed(blocks, ciphered, std::make_index_sequence<sets>(), std::make_index_sequence<singles>());
}

void cipher_padded(std::span<Block> rest, const auto& ciphered) {
  std::array<Block, width> padded{};
  std::copy(rest.begin(), rest.end(), padded.begin());
  cipher_mixed<1, 0>(std::span(padded), ciphered);
  std::copy_n(padded.begin(), rest.size(), rest.begin());
}

constexpr std::size_t group = limits.sets * (width + limits.beside);  // blocks that go together
constexpr std::size_t most_singles = 3;                               // the words of four do not fit into registers

// Less than a group: the fewest sets, and as many single blocks as are left over.
template <std::size_t sets = 1, std::size_t singles = 0>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  constexpr std::size_t most = sets * width + singles;
  if constexpr (most < group - 1) {
    constexpr bool beside = singles < most_singles;
    if (rest.size() > most) return cipher_rest<beside ? sets : sets + 1, beside ? singles + 1 : 0>(rest, ciphered);
  }
  cipher_mixed<sets, singles>(rest, ciphered);
}

// As many blocks as there are, in scalar registers. GCC inlines all 72 rounds only because of `flatten`, Clang only
// because of the attributes of the lambdas. Without these the words are in memory. Blocks are copied word by word,
// because whole ones would go through vectors. With AVX-512, GCC would put a key that is passed in memory into one, too.
template <std::size_t count>
[[gnu::noinline, gnu::flatten]] void cipher_few(std::span<Block> blocks, const Key& key, const Tweak& tweak,
                                                const auto& ciphered) {
  if constexpr (count > 1) {
    if (blocks.size() < count) return cipher_few<count - 1>(blocks, key, tweak, ciphered);
  }
  std::array<Block, count> few;
  for (std::size_t i = 0; i < count; ++i) few[i] = {blocks[i][0], blocks[i][1], blocks[i][2], blocks[i][3]};
  ciphered(few, extend(key, tweak));
  for (std::size_t i = 0; i < count; ++i) blocks[i] = {few[i][0], few[i][1], few[i][2], few[i][3]};
}

void cipher(std::span<Block> blocks, const Key& key, const Tweak& tweak, const auto& ciphered) {
  if (blocks.size() > limits.few) {
    const auto subkeys = make_subkeys(extend(key, tweak), std::make_integer_sequence<unsigned, last + 1>());
    const auto with_table = [&](auto& mixed) { ciphered(mixed, subkeys); };
    for (; blocks.size() >= group; blocks = blocks.subspan(group)) {
      cipher_mixed<limits.sets, limits.sets * limits.beside>(blocks.first<group>(), with_table);
    }
    if (blocks.size() > limits.few) {
      return blocks.size() < width ? cipher_padded(blocks, with_table) : cipher_rest(blocks, with_table);
    }
  }
  if (!blocks.empty()) cipher_few<limits.few>(blocks, key, tweak, ciphered);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, key, tweak,
         [](auto& words, const auto& subkeys) __attribute__((always_inline)) { encrypt_words(words, subkeys); });
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, key, tweak,
         [](auto& words, const auto& subkeys) __attribute__((always_inline)) { decrypt_words(words, subkeys); });
}

}  // namespace threefish
