// Scalar and vector units at the same time, in rests: up to three blocks that fill no set go beside the sets.
// lacks: x86-32
#include "threefish/12-small-messages/few.hpp"
#include "threefish/12-small-messages/rounds.hpp"
#include "threefish/14-vector-schedule/schedule.hpp"
#include "threefish/16-interleaving-barrier/interleaved.hpp"
#include "threefish/17-kernels-for-rests/limits.hpp"
#include "threefish/18-overlapping-tail/overlap.hpp"
#include "threefish/19-single-blocks-in-rests/rests.hpp"

namespace threefish {
namespace {

void cipher(std::span<Block> blocks, const Extended& from, const auto& ciphered) {
  if (blocks.size() > limits.few) {
    const auto with_table = [&, subkeys = make_subkeys(from)](auto& mixed) { ciphered(mixed, subkeys); };
    for (; blocks.size() >= group; blocks = blocks.subspan(group)) {
      cipher_mixed<limits.sets, limits.sets * limits.beside>(blocks.first<group>(), with_table);
    }
    if (blocks.size() > limits.few) {
      return blocks.size() < width ? cipher_padded(blocks, with_table) : cipher_rest(blocks, with_table);
    }
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
