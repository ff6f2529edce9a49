// Scalar blocks beside the vectors, where a level has 16 registers: the level chooses how many go together.
#include <algorithm>

#include "threefish/12-small-messages/few.hpp"
#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/13-mixed-kernel/each.hpp"
#include "threefish/13-mixed-kernel/kernel.hpp"

namespace threefish {
namespace {

Subkeys make_subkeys(const Extended& from) {
  Subkeys subkeys;
  for (unsigned s = 0; s < subkeys.size(); ++s) subkeys[s] = subkey(from, s);
  return subkeys;
}

// A kernel takes as many sets as the registers hold, and single blocks beside them where the sets wait.
constexpr std::size_t in_flight = width == 8 ? 6 : 3;  // sets
constexpr std::size_t beside = width == 8 ? 0 : 4;     // single blocks

// Fewer blocks than go together, in a copy that is padded.
template <std::size_t sets = 1>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  constexpr std::size_t count = sets * width + beside;
  if constexpr (sets < in_flight) {
    if (rest.size() > count) return cipher_rest<sets + 1>(rest, ciphered);
  }
  std::array<Block, count> padded{};
  std::copy(rest.begin(), rest.end(), padded.begin());
  cipher_mixed<sets, beside>(padded.data(), ciphered);
  std::copy_n(padded.begin(), rest.size(), rest.begin());
}

void cipher(std::span<Block> blocks, const Extended& from, const auto& ciphered) {
  if (blocks.empty()) return;
  if (blocks.size() <= 3) {
    return cipher_few<3>(blocks, [&](auto& few) __attribute__((always_inline)) { ciphered(few, from); });
  }
  const auto with_table = [&, subkeys = make_subkeys(from)](auto& mixed) { ciphered(mixed, subkeys); };
  constexpr std::size_t most = in_flight * width + beside;
  for (; blocks.size() >= most; blocks = blocks.subspan(most)) {
    cipher_mixed<in_flight, beside>(blocks.data(), with_table);
  }
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
