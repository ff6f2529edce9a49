// `completed` works on the earliest job where that is not finished.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "aes-cbc/in_order.hpp"
#include "common/multibuffer/in_order_members.hpp"

namespace aes_cbc {
namespace {

// It is right: what is spoiled is the ring around it.
void encrypt_wrongly(const std::vector<Job*>& jobs) {
  for (const Job* job : jobs) encrypt(*job);
}

}  // namespace
}  // namespace aes_cbc

#include "../gathering.hpp"  // wants what is above

namespace ladder {

template <>
aes_cbc::Job* aes_cbc::Ring::completed() {
  return flush();
}

}  // namespace ladder
