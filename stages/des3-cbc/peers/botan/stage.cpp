// Botan: decrypts two blocks of a buffer interleaved, and encrypts one block after the other.
// links: botan-2
// variants: no-cipher
#include <botan/cipher_mode.h>

#include <map>
#include <memory>

#include "des3-cbc/peers/adapter.hpp"

namespace des3_cbc {
namespace {

// The object of each key is kept, and only the iv is set again, because expanding a key is not measured.
void cipher(std::span<const Job> jobs, Botan::Cipher_Dir direction) {
  struct Kept {
    std::array<std::uint8_t, key_bytes> bytes{};
    std::unique_ptr<Botan::Cipher_Mode> mode;
  };
  thread_local std::map<const Key*, Kept> all[2];
  for (const Job& job : jobs) {
    Kept& kept = all[direction == Botan::ENCRYPTION][job.key];
    if (!kept.mode || kept.bytes != job.key->bytes) {
      kept = {job.key->bytes, Botan::Cipher_Mode::create_or_throw("3DES/CBC/NoPadding", direction)};
      kept.mode->set_key(job.key->bytes.data(), key_bytes);
    }
    kept.mode->start(job.iv, block_bytes);
    cipher_or_copy(job, [&] {
      copy(job);  // it works in place only
      kept.mode->process(job.out, job.size);
    });
    kept.mode->reset();
  }
}

}  // namespace

void encrypt(std::span<const Job> jobs) { cipher(jobs, Botan::ENCRYPTION); }

void decrypt(std::span<const Job> jobs) { cipher(jobs, Botan::DECRYPTION); }

}  // namespace des3_cbc
