// OpenSSL: one buffer after the other, with a context kept for each key.
// links: libcrypto
// variants: no-cipher
#include <openssl/evp.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/peers/with_cipher.hpp"
#include "common/adapter.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {
namespace {

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

// The library cannot use a key that it did not expand itself. So the context of each key is kept, and only the iv is
// set. Neither the look-up of a cipher by its name nor the expansion of a key is measured.
class Contexts {
 public:
  explicit Contexts(int encrypts) : encrypts_(encrypts), cipher_(EVP_CIPHER_fetch(nullptr, "AES-128-CBC", nullptr)) {
    if (!cipher_) throw std::bad_alloc();
  }

  EVP_CIPHER_CTX* of(const Block& key) {
    Context& context = kept_[key];
    if (!context) {
      context.reset(EVP_CIPHER_CTX_new());
      if (!context) throw std::bad_alloc();
      EVP_CipherInit_ex2(context.get(), cipher_.get(), key.data(), nullptr, encrypts_, nullptr);
      EVP_CIPHER_CTX_set_padding(context.get(), 0);
    }
    return context.get();
  }

 private:
  struct FirstBytes {  // of a key are as good as any hash of it
    std::size_t operator()(const Block& key) const {
      std::size_t first;
      std::memcpy(&first, key.data(), sizeof first);
      return first;
    }
  };

  int encrypts_;
  std::unique_ptr<EVP_CIPHER, Free> cipher_;
  std::unordered_map<Block, Context, FirstBytes> kept_;
};

class Processor {
 public:
  explicit Processor(int encrypts = 1) : contexts_(encrypts) {}

  // The first round key is the key itself.
  void operator()(const Job& job) {
    EVP_CIPHER_CTX* const context = contexts_.of(job.key->encrypting[0]);
    EVP_CipherInit_ex2(context, nullptr, nullptr, job.iv, -1, nullptr);
    if (!with_cipher) return ladder::copy(job.out, job.in, job.size);
    for (std::size_t i = 0; i < job.size;) {
      constexpr std::size_t most = 0x4000'0000;  // its sizes are signed
      int size = static_cast<int>(std::min(job.size - i, most));
      EVP_CipherUpdate(context, job.out + i, &size, job.in + i, size);
      i += static_cast<std::size_t>(size);
    }
  }

 private:
  Contexts contexts_;
};

void decrypt(const Job& job) {
  static thread_local Processor processor(0);
  processor(job);
}

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
