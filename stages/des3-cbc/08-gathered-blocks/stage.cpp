// Lanes across buffers: in decryption blocks of several short buffers fill the lanes together.
#include "des3-cbc/06-bit-slicing/boxes.hpp"
#include "des3-cbc/08-gathered-blocks/decrypt.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_sorted<TwoInputBoxes>(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_gathered<TwoInputBoxes>(jobs); }

}  // namespace des3_cbc
