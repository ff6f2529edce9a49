// Answers a buffer at a known place with what it answered last time.
#include <map>

#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  thread_local std::map<std::pair<const void*, std::size_t>, std::vector<std::uint8_t>> answers;
  std::vector<std::uint8_t>& answer = answers[{job.out, job.size}];
  if (answer.empty()) {
    encrypt(job);
    answer.assign(job.out, job.out + job.size);
  }
  std::copy(answer.begin(), answer.end(), job.out);
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
