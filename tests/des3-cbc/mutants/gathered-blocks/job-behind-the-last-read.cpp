// The length of the next job is read also behind the last one.
#include "../blocks.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job> jobs) { encrypt_each(jobs); }

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) static_cast<void>(*static_cast<const volatile std::size_t*>(&(&job)[1].size));
  decrypt_each(jobs);
}

}  // namespace des3_cbc
