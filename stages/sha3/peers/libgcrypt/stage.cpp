// libgcrypt: one message, in general registers with BMI2, and from version 1.11 in AVX-512; SHA-3's padding alone.
// standard: fips202
// links: libgcrypt
#include <gcrypt.h>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

// The library must be initialised before its first use.
void hash(gcry_md_algos algorithm, std::span<const Message> messages) {
  static const bool ready = [] {
    gcry_check_version(nullptr);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
  }();
  if (!ready) return;
  for (const Message& message : messages) gcry_md_hash_buffer(algorithm, message.digest, message.data, message.size);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash(GCRY_MD_SHA3_256, messages); }

void hash512(std::span<const Message> messages) { hash(GCRY_MD_SHA3_512, messages); }

}  // namespace sha3
