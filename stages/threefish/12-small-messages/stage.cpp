// Small messages compute subkeys on the fly: the source of the subkeys becomes a parameter of the rounds.
#include <algorithm>
#include <utility>

#include "threefish/06-transposed/transpose.hpp"
#include "threefish/12-small-messages/few.hpp"
#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/12-small-messages/subkeys.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys(const Extended& from) {
  Subkeys subkeys;
  for (unsigned s = 0; s < subkeys.size(); ++s) subkeys[s] = subkey(from, s);
  return subkeys;
}

constexpr std::size_t in_flight = width == 8 ? 6 : 3;  // sets

// Not inlined, so that the sets have all registers for themselves.
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

// Fewer blocks than `in_flight` sets, in a copy that is padded to whole sets.
template <std::size_t count = 1>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  if constexpr (count < in_flight) {
    if (rest.size() > count * width) return cipher_rest<count + 1>(rest, ciphered);
  }
  std::array<Block, count * width> padded{};
  std::copy(rest.begin(), rest.end(), padded.begin());
  cipher_sets<count>(padded.data(), ciphered);
  std::copy_n(padded.begin(), rest.size(), rest.begin());
}

void cipher(std::span<Block> blocks, const Extended& from, const auto& ciphered) {
  if (blocks.empty()) return;
  if (blocks.size() <= 3) {
    return cipher_few<3>(blocks, [&](auto& few) __attribute__((always_inline)) { ciphered(few, from); });
  }
  const auto with_table = [&, subkeys = make_subkeys(from)](auto& sets) { ciphered(sets, subkeys); };
  constexpr std::size_t most = in_flight * width;
  for (; blocks.size() >= most; blocks = blocks.subspan(most)) cipher_sets<in_flight>(blocks.data(), with_table);
  if (!blocks.empty()) cipher_rest(blocks, with_table);
}

}  // namespace

void encrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, extend(key, tweak),
         [](auto& words, const auto& subkeys) __attribute__((always_inline)) { encrypt_words(words, subkeys); });
}

void decrypt(std::span<Block> blocks, const Key& key, const Tweak& tweak) {
  cipher(blocks, extend(key, tweak),
         [](auto& words, const auto& subkeys) __attribute__((always_inline)) { decrypt_words(words, subkeys); });
}

}  // namespace threefish
