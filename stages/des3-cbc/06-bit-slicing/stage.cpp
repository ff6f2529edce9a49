// Bit slicing: an S-box becomes a circuit of logic gates, which does as many blocks at once as a vector has bits.
#include "des3-cbc/02-interleaved-decryption/decrypt.hpp"
#include "des3-cbc/04-refilled-lanes/lanes.hpp"
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/06-bit-slicing/one_key.hpp"

namespace des3_cbc {
namespace {

constexpr std::size_t lanes_at_once = 4;

}  // namespace

void encrypt(std::span<const Job> jobs) {
  Lane lanes[lanes_at_once] = {};
  encrypt_all(std::span(lanes), jobs);
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    std::size_t done = decrypt_in_planes<TwoInputBoxes>(job, chain, fewest_lanes);
    done = decrypt_blocks(job, done, chain, std::make_index_sequence<lanes_at_once>());
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc
