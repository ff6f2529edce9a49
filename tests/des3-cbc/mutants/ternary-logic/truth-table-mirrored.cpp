// The inputs of one gate are exchanged: a result of S1 is wrong for some inputs.
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"

namespace des3_cbc {
namespace {

struct Wrong {
  template <unsigned box, class Word>
  static std::array<Word, 4> substitute(const std::array<Word, 6>& in) {
    auto results = TwoInputBoxes::substitute<box>(in);
    if constexpr (box == 0) results[0] ^= in[0] & ~in[2] & (in[1] ^ in[4]) & in[5];
    return results;
  }
};

}  // namespace

void encrypt(std::span<const Job> jobs) { encrypt_sorted<Wrong>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc
