// Reassociation: a late look-up passes three xors, and a half is xored with its round key before the look-ups.
// until: x86-64-v3
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/11-reassociation/reassociated.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) {
  if (jobs.size() == 1) return encrypt_alone(jobs.front(), ciphered);
  encrypt_sorted<TwoInputBoxes>(jobs);
}

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc
