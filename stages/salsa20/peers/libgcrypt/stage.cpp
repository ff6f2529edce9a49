// libgcrypt: four blocks at once with SSE2. It always begins with block 0.
// lacks: counter standards
// links: libgcrypt
// variants: no-cipher
#include <gcrypt.h>

#include <memory>
#include <stdexcept>

#include "common/adapter.hpp"
#include "salsa20/peers/with_cipher.hpp"
#include "salsa20/salsa20.hpp"

namespace salsa20 {
namespace {

// The library needs set-up before its first use. The handle is kept: opening one is not part of the measurement.
gcry_cipher_hd_t handle() {
  static const bool ready = [] {
    gcry_check_version(nullptr);
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
    return true;
  }();
  const auto open = [] {
    gcry_cipher_hd_t opened = nullptr;
    if (!ready || gcry_cipher_open(&opened, GCRY_CIPHER_SALSA20, GCRY_CIPHER_MODE_STREAM, 0) != 0) {
      throw std::runtime_error("libgcrypt has no Salsa20 here");
    }
    return opened;
  };
  thread_local const std::unique_ptr<gcry_cipher_handle, decltype(&gcry_cipher_close)> kept(open(), gcry_cipher_close);
  return kept.get();
}

}  // namespace

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t) {
  gcry_cipher_setkey(handle(), key.data(), key.size());
  gcry_cipher_setiv(handle(), nonce.data(), nonce.size());
  if (with_cipher) {
    gcry_cipher_encrypt(handle(), out, in.size(), in.data(), in.size());
  } else {
    ladder::copy(out, in.data(), in.size());
  }
}

}  // namespace salsa20
