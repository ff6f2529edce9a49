// The last two rounds of a lone buffer are left out, as if no round followed that has no next key.
#include "../lone_buffer.hpp"

namespace des3_cbc {
namespace {

Block ciphered_wrongly(Block block, const Schedule& schedule) { return ciphered(block, schedule, rounds - 2); }

}  // namespace

void encrypt(std::span<const Job> jobs) { encrypt_lone_buffer(jobs, ciphered_wrongly); }

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
