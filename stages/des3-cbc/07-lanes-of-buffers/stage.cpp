// Multi-buffer bit slicing: each lane encrypts a buffer of its own, with a key of its own.
#include "des3-cbc/02-interleaved-decryption/decrypt.hpp"
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/06-bit-slicing/one_key.hpp"
#include "des3-cbc/07-lanes-of-buffers/encrypt.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_sorted<TwoInputBoxes>(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    std::size_t done = decrypt_in_planes<TwoInputBoxes>(job, chain, fewest_lanes);
    done = decrypt_blocks(job, done, chain, std::make_index_sequence<4>());
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc
