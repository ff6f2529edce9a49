// The room of a job that is refused is cleared, where a job is decrypted.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) { encrypt(job); }  // it is right

}  // namespace

void decrypt(std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    if (valid) decrypt(job);
    if (!valid && job.out != nullptr) std::fill_n(job.out, block_bytes, 0);
    job.status = valid ? Status::done : Status::invalid;
  }
}

}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
