// Decrypt is a second encrypt.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

}  // namespace des3_cbc
