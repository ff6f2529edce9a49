// Precomputation: the tables of a lone buffer give their results expanded, as the next round needs them.
// until: x86-64-v3
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/10-expanded-halves/expanded.hpp"

namespace des3_cbc {
namespace {

[[gnu::always_inline]] inline Expanded f(Expanded half, RoundKey key) {
  const Expanded sixes = half ^ joined(key);
  Expanded result = 0;
#pragma GCC unroll 8
  for (unsigned byte = 0; byte < 8; ++byte) result ^= expanded_boxes[byte][sixes >> 8 * byte & 0xFF];
  return result;
}

Block ciphered(Block block, const Schedule& schedule) {
  const Halves start = permuted(block);
  Expanded left = expanded(start.left), right = expanded(start.right);
  for (unsigned des = 0; des < rounds; des += 16) {
    for (unsigned round = des; round < des + 16; round += 2) {
      left ^= f(right, schedule[round]);
      right ^= f(left, schedule[round + 1]);
    }
    std::swap(left, right);
  }
  return unpermuted({contracted(left), contracted(right)});
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() == 1) return encrypt_alone(jobs.front(), ciphered);
  encrypt_sorted<TwoInputBoxes>(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc
