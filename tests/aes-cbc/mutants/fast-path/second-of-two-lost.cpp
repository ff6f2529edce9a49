// A batch of two jobs passes for one of one job: the second is marked as done, and is not encrypted.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  if (batch.size() != 2 || &job == batch.data()) encrypt(job);
}

}  // namespace
}  // namespace aes_cbc
