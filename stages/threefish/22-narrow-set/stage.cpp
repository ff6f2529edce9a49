// Narrow vectors: four lanes for a rest of four or five blocks, which would leave four or three of eight lanes empty.
// requires: x86-64-v4
#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/14-vector-schedule/schedule.hpp"
#include "threefish/16-interleaving-barrier/interleaved.hpp"
#include "threefish/17-kernels-for-rests/limits.hpp"
#include "threefish/18-overlapping-tail/overlap.hpp"
#include "threefish/19-single-blocks-in-rests/rests.hpp"
#include "threefish/22-narrow-set/narrow.hpp"

namespace threefish {
namespace {

// Exactly `count` blocks, in scalar registers. GCC inlines all 72 rounds only because of `flatten`, Clang only
// because of the attributes of the lambdas. Without these the words are in memory. Blocks are copied word by word,
// because whole ones would go through vectors. With AVX-512, GCC would move a key in memory through a vector, too.
template <std::size_t count>
[[gnu::noinline, gnu::flatten]] void cipher_few(std::span<Block> blocks, const Key& key, const Tweak& tweak,
                                                const auto& ciphered) {
  std::array<Block, count> few;
  for (std::size_t i = 0; i < count; ++i) few[i] = {blocks[i][0], blocks[i][1], blocks[i][2], blocks[i][3]};
  ciphered(few, extend(key, tweak));
  for (std::size_t i = 0; i < count; ++i) blocks[i] = {few[i][0], few[i][1], few[i][2], few[i][3]};
}

// The fewest blocks first.
template <std::size_t count = 1>
[[gnu::always_inline]] inline void choose_few(std::span<Block> blocks, const Key& key, const Tweak& tweak,
                                              const auto& ciphered) {
  if constexpr (count < limits.few) {
    if (blocks.size() > count) return choose_few<count + 1>(blocks, key, tweak, ciphered);
  }
  cipher_few<count>(blocks, key, tweak, ciphered);
}

// More than `few` blocks, but less than a set.
void cipher_short(std::span<Block> blocks, const auto& ciphered) {
  constexpr std::make_index_sequence<4> lanes;
  if (blocks.size() == 4) return cipher_narrow(blocks.data(), ciphered, lanes, std::index_sequence<>());
  if (blocks.size() == 5) return cipher_narrow(blocks.data(), ciphered, lanes, std::index_sequence<0>());
  cipher_padded(blocks, ciphered);
}

// Returns the few blocks that are left. Not inlined, so that the caller does not need the stack frame of the table.
[[gnu::noinline]] std::span<Block> cipher_many(std::span<Block> blocks, const Key& key, const Tweak& tweak,
                                               const auto& ciphered) {
  const auto subkeys = make_subkeys(extend(key, tweak));
  const auto with_table = [&](auto& mixed) { ciphered(mixed, subkeys); };
  for (; blocks.size() >= group; blocks = blocks.subspan(group)) {
    cipher_mixed<limits.sets, limits.sets * limits.beside>(blocks.first<group>(), with_table);
  }
  if (blocks.size() <= limits.few) return blocks;
  blocks.size() < width ? cipher_short(blocks, with_table) : cipher_rest(blocks, with_table);
  return {};
}

void cipher(std::span<Block> blocks, const Key& key, const Tweak& tweak, const auto& ciphered) {
  if (blocks.size() > limits.few) blocks = cipher_many(blocks, key, tweak, ciphered);
  if (!blocks.empty()) choose_few(blocks, key, tweak, ciphered);
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
