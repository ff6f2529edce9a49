// From 36 buffers on, sixteen bytes of each iv are read.
#include "../blocks.hpp"

namespace des3_cbc {
namespace {

void read_behind_ivs(std::span<const Job> jobs) {
  for (const Job& job : jobs.size() < 36 ? jobs.first(0) : jobs) {
    static_cast<void>(*static_cast<const volatile std::uint8_t*>(job.iv + 15));
  }
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  read_behind_ivs(jobs);
  encrypt_each(jobs);
}

void decrypt(std::span<const Job> jobs) {
  read_behind_ivs(jobs);
  decrypt_each(jobs);
}

}  // namespace des3_cbc
