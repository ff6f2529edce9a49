// Overlapping tail: the last set, or the single blocks, end with the message. Only less than one set is copied.
// lacks: x86-32
#include "threefish/12-small-messages/few.hpp"
#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/14-vector-schedule/schedule.hpp"
#include "threefish/16-interleaving-barrier/interleaved.hpp"
#include "threefish/17-kernels-for-rests/limits.hpp"
#include "threefish/18-overlapping-tail/overlap.hpp"

namespace threefish {
namespace {

// Fewer blocks than go together: the fewest sets, and single blocks beside them only if the sets have too few lanes.
template <std::size_t sets = 1>
void cipher_rest(std::span<Block> rest, const auto& ciphered) {
  if constexpr (sets < limits.sets) {
    if (rest.size() > sets * (width + limits.beside)) return cipher_rest<sets + 1>(rest, ciphered);
  }
  if (rest.size() < width) return cipher_padded(rest, ciphered);
  if (rest.size() <= sets * width) return cipher_mixed<sets, 0>(rest, ciphered);
  cipher_mixed<sets, sets * limits.beside>(rest, ciphered);
}

void cipher(std::span<Block> blocks, const Extended& from, const auto& ciphered) {
  if (blocks.size() > limits.few) {
    const auto with_table = [&, subkeys = make_subkeys(from)](auto& mixed) { ciphered(mixed, subkeys); };
    constexpr std::size_t most = limits.sets * (width + limits.beside);
    for (; blocks.size() >= most; blocks = blocks.subspan(most)) {
      cipher_mixed<limits.sets, limits.sets * limits.beside>(blocks.first<most>(), with_table);
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
