// One gate of one circuit is wrong for one of 64 inputs.
#include "des3-cbc/02-interleaved-decryption/decrypt.hpp"
#include "des3-cbc/04-refilled-lanes/lanes.hpp"
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/06-bit-slicing/one_key.hpp"

namespace des3_cbc {
namespace {

struct Wrong {
  template <unsigned box, class Word>
  static std::array<Word, 4> substitute(const std::array<Word, 6>& in) {
    auto results = TwoInputBoxes::substitute<box>(in);
    if constexpr (box == 7) results[3] ^= in[0] & in[1] & in[2] & in[3] & in[4] & in[5];
    return results;
  }
};

}  // namespace

void encrypt(std::span<const Job> jobs) {
  Lane lanes[4] = {};
  encrypt_all(std::span(lanes), jobs);
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    const std::size_t done = decrypt_in_planes<Wrong>(job, chain, fewest_lanes);
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc
