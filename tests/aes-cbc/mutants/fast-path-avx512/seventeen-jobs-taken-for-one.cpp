// A batch of one job more than there are lanes passes for one of one job: the others are marked as done.
#include "../each_of_a_batch.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job, std::span<const Job> batch) {
  if (batch.size() != 17 || &job == batch.data()) encrypt(job);
}

}  // namespace
}  // namespace aes_cbc
