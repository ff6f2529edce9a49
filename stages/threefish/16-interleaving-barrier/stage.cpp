// Optimisation barrier: one single block beside each set, and a barrier that keeps the two interleaved.
// variants: unordered
// lacks: x86-32
#include <algorithm>

#include "threefish/12-small-messages/few.hpp"
#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/13-mixed-kernel/kernel.hpp"
#include "threefish/14-vector-schedule/schedule.hpp"
#include "threefish/16-interleaving-barrier/interleaved.hpp"

namespace threefish {
namespace {

// The limits of a level. Trials on Zen 5 chose `few`; x86-64 takes the value of x86-64-v3.
struct Limits {
  std::size_t few;           // that many blocks, or fewer, go through scalar registers alone
  std::size_t sets, beside;  // else that many sets of vectors go together, each with that many single blocks, 0 or 1
};

constexpr Limits limits = width == 8 ? Limits{.few = 3, .sets = 6, .beside = 0}  // 32 vector registers
                                     : Limits{.few = 4, .sets = 3, .beside = 1};

// Fewer blocks than go together: in place if they fill the kernel, else in a copy that is padded.
template <std::size_t sets = 1>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  constexpr std::size_t count = sets * (width + limits.beside);
  if constexpr (sets < limits.sets) {
    if (rest.size() > count) return cipher_rest<sets + 1>(rest, ciphered);
  }
  if (rest.size() == count) return cipher_mixed<sets, sets * limits.beside>(rest.data(), ciphered);
  std::array<Block, count> padded{};
  std::copy(rest.begin(), rest.end(), padded.begin());
  cipher_mixed<sets, sets * limits.beside>(padded.data(), ciphered);
  std::copy_n(padded.begin(), rest.size(), rest.begin());
}

void cipher(std::span<Block> blocks, const Extended& from, const auto& ciphered) {
  if (blocks.size() > limits.few) {
    const auto with_table = [&, subkeys = make_subkeys(from)](auto& mixed) { ciphered(mixed, subkeys); };
    constexpr std::size_t most = limits.sets * (width + limits.beside);
    for (; blocks.size() >= most; blocks = blocks.subspan(most)) {
      cipher_mixed<limits.sets, limits.sets * limits.beside>(blocks.data(), with_table);
    }
    if (blocks.size() > limits.few) return cipher_rest(blocks, with_table);
  }
  if (blocks.empty()) return;
  cipher_few<limits.few>(blocks, [&](auto& few) __attribute__((always_inline)) { ciphered(few, from); });
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
