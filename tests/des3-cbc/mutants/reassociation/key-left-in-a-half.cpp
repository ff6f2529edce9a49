// The right half of a lone buffer keeps the key of a round of the first DES in the second one.
#include "../lone_buffer.hpp"

namespace des3_cbc {
namespace {

Block ciphered_wrongly(Block block, const Schedule& schedule) {
  Schedule wrong = schedule;
  wrong[16].odd ^= schedule[14].odd;
  wrong[16].even ^= schedule[14].even;
  return ciphered(block, wrong);
}

}  // namespace

void encrypt(std::span<const Job> jobs) { encrypt_lone_buffer(jobs, ciphered_wrongly); }

void decrypt(std::span<const Job> jobs) { decrypt_each(jobs); }

}  // namespace des3_cbc
