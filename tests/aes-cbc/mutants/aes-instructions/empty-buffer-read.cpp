// The first block is loaded before the loop, also where there is none.
#include "../cipher.hpp"
#include "../decrypting.hpp"

namespace aes_cbc {
namespace {

void encrypt_wrongly(const Job& job) {
  static_cast<void>(*static_cast<const volatile std::uint8_t*>(job.in));
  encrypt(job);
}

}  // namespace
}  // namespace aes_cbc

#include "../alone.hpp"  // wants what is above
