// Ternary logic (VPTERNLOG): a gate of the circuits is any function of three inputs.
// requires: x86-64-v4
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"
#include "des3-cbc/09-ternary-logic/boxes.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_sorted<ThreeInputBoxes>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<ThreeInputBoxes>(jobs); }

}  // namespace des3_cbc
