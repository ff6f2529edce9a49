// Crypto++: one buffer after the other, in portable C++.
// links: libcrypto++
// variants: no-cipher
#include <cryptopp/des.h>
#include <cryptopp/modes.h>

#include <map>
#include <memory>

#include "des3-cbc/peers/adapter.hpp"

namespace des3_cbc {
namespace {

// The object of each key is kept, and only the iv is set again, because expanding a key is not measured.
template <class Mode>
void cipher(std::span<const Job> jobs) {
  struct Kept {
    std::array<std::uint8_t, key_bytes> bytes{};
    std::unique_ptr<Mode> mode;
  };
  thread_local std::map<const Key*, Kept> all;
  for (const Job& job : jobs) {
    Kept& kept = all[job.key];
    if (!kept.mode || kept.bytes != job.key->bytes) {
      kept = {job.key->bytes, std::make_unique<Mode>(job.key->bytes.data(), key_bytes, job.iv)};
    }
    kept.mode->Resynchronize(job.iv, block_bytes);
    cipher_or_copy(job, [&] { kept.mode->ProcessData(job.out, job.in, job.size); });
  }
}

}  // namespace

void encrypt(std::span<const Job> jobs) { cipher<CryptoPP::CBC_Mode<CryptoPP::DES_EDE3>::Encryption>(jobs); }

void decrypt(std::span<const Job> jobs) { cipher<CryptoPP::CBC_Mode<CryptoPP::DES_EDE3>::Decryption>(jobs); }

}  // namespace des3_cbc
