// libgcrypt: assembly, which decrypts three blocks of a buffer interleaved.
// links: libgcrypt
// variants: no-cipher
#include <gcrypt.h>

#include <map>
#include <memory>
#include <stdexcept>

#include "des3-cbc/peers/adapter.hpp"

namespace des3_cbc {
namespace {

struct Close {
  void operator()(gcry_cipher_hd_t handle) const { gcry_cipher_close(handle); }
};
using Handle = std::unique_ptr<gcry_cipher_handle, Close>;

// The library must be initialised before its first use. It refuses weak keys unless they are allowed.
Handle opened(const Key& key) {
  static const bool ready = [] {
    gcry_check_version(nullptr);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
  }();
  gcry_cipher_hd_t handle = nullptr;
  if (!ready || gcry_cipher_open(&handle, GCRY_CIPHER_3DES, GCRY_CIPHER_MODE_CBC, 0) != 0) {
    throw std::runtime_error("libgcrypt has no 3DES here");
  }
  gcry_cipher_ctl(handle, GCRYCTL_SET_ALLOW_WEAK_KEY, nullptr, 1);
  gcry_cipher_setkey(handle, key.bytes.data(), key_bytes);
  return Handle(handle);
}

// The handle of each key is kept, and only the iv is set again, because expanding a key is not measured.
gcry_cipher_hd_t handle_of(const Key& key) {
  struct Kept {
    std::array<std::uint8_t, key_bytes> bytes{};
    Handle handle;
  };
  thread_local std::map<const Key*, Kept> all;
  Kept& kept = all[&key];
  if (!kept.handle || kept.bytes != key.bytes) kept = {key.bytes, opened(key)};
  return kept.handle.get();
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    gcry_cipher_hd_t handle = handle_of(*job.key);
    gcry_cipher_setiv(handle, job.iv, block_bytes);
    cipher_or_copy(job, [&] { gcry_cipher_encrypt(handle, job.out, job.size, job.in, job.size); });
  }
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    gcry_cipher_hd_t handle = handle_of(*job.key);
    gcry_cipher_setiv(handle, job.iv, block_bytes);
    cipher_or_copy(job, [&] { gcry_cipher_decrypt(handle, job.out, job.size, job.in, job.size); });
  }
}

}  // namespace des3_cbc
