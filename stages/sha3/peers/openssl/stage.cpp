// OpenSSL: assembly for one message in general registers. Version 3.0 has SHA-3's padding only.
// standard: fips202
// links: libcrypto
#include <openssl/evp.h>

#include <memory>
#include <new>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

struct Free {
  void operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// The digest is fetched once and its context is kept: finding it by name takes longer than hashing a short message.
class Sponge {
 public:
  explicit Sponge(const char* name) : digest_(EVP_MD_fetch(nullptr, name, nullptr)), context_(EVP_MD_CTX_new()) {
    if (!digest_ || !context_) throw std::bad_alloc();
  }

  void hash(std::span<const Message> messages) const {
    for (const Message& message : messages) {
      EVP_DigestInit_ex2(context_.get(), digest_.get(), nullptr);
      EVP_DigestUpdate(context_.get(), message.data, message.size);
      EVP_DigestFinal_ex(context_.get(), message.digest, nullptr);
    }
  }

 private:
  std::unique_ptr<EVP_MD, Free> digest_;
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace

void hash256(std::span<const Message> messages) {
  thread_local const Sponge sponge("SHA3-256");
  sponge.hash(messages);
}

void hash512(std::span<const Message> messages) {
  thread_local const Sponge sponge("SHA3-512");
  sponge.hash(messages);
}

}  // namespace sha3
