// OpenSSL: one buffer after the other, in portable C.
// links: libcrypto
// variants: no-cipher
#include <openssl/evp.h>

#include <algorithm>
#include <map>
#include <memory>
#include <new>

#include "des3-cbc/peers/adapter.hpp"

namespace des3_cbc {
namespace {

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

// The library accepts no expanded key that it did not make itself. So the context of each key is kept, and only the iv
// is set again. Neither the look-up of a cipher by its name nor the expansion of a key is measured.
class Contexts {
 public:
  explicit Contexts(int encrypts) : encrypts_(encrypts), cipher_(EVP_CIPHER_fetch(nullptr, "DES-EDE3-CBC", nullptr)) {
    if (!cipher_) throw std::bad_alloc();
  }

  EVP_CIPHER_CTX* of(const Key& key) {
    Kept& kept = kept_[&key];
    if (!kept.context || kept.bytes != key.bytes) {
      kept = {key.bytes, Context(EVP_CIPHER_CTX_new())};
      if (!kept.context) throw std::bad_alloc();
      EVP_CipherInit_ex2(kept.context.get(), cipher_.get(), key.bytes.data(), nullptr, encrypts_, nullptr);
      EVP_CIPHER_CTX_set_padding(kept.context.get(), 0);
    }
    return kept.context.get();
  }

 private:
  struct Kept {
    std::array<std::uint8_t, key_bytes> bytes;
    Context context;
  };

  int encrypts_;
  std::unique_ptr<EVP_CIPHER, Free> cipher_;
  std::map<const Key*, Kept> kept_;
};

void cipher(std::span<const Job> jobs, Contexts& contexts) {
  for (const Job& job : jobs) {
    EVP_CIPHER_CTX* context = contexts.of(*job.key);
    EVP_CipherInit_ex2(context, nullptr, nullptr, job.iv, -1, nullptr);
    cipher_or_copy(job, [&] {
      for (std::size_t i = 0; i < job.size;) {
        constexpr std::size_t most = 0x4000'0000;  // its sizes are signed
        int size = static_cast<int>(std::min(job.size - i, most));
        EVP_CipherUpdate(context, job.out + i, &size, job.in + i, size);
        i += static_cast<std::size_t>(size);
      }
    });
  }
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  thread_local Contexts contexts(1);
  cipher(jobs, contexts);
}

void decrypt(std::span<const Job> jobs) {
  thread_local Contexts contexts(0);
  cipher(jobs, contexts);
}

}  // namespace des3_cbc
