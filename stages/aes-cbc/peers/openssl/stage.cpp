// OpenSSL: one buffer after the other, with a context kept for each key.
// links: libcrypto
#include <openssl/evp.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <unordered_map>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {
namespace {

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

// The library has no form for an expanded key that it did not make itself: the context of each key is kept, and only
// the iv set anew, for neither finding a cipher by its name nor expanding a key is what is to be measured.
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

}  // namespace

struct Manager {
  Contexts contexts;
  Problem problem = Problem::none;
};

namespace {

// The first round key is the key itself.
void work_on(Manager& manager, Job& job) {
  if (const Problem problem = problem_of(job); problem != Problem::none) {
    manager.problem = problem;
    job.status = Status::invalid;
    return;
  }
  EVP_CIPHER_CTX* const context = manager.contexts.of(job.key->encrypting[0]);
  EVP_CipherInit_ex2(context, nullptr, nullptr, job.iv, -1, nullptr);
  for (std::size_t i = 0; i < job.size;) {
    constexpr std::size_t most = 0x4000'0000;  // its sizes are signed
    int size = static_cast<int>(std::min(job.size - i, most));
    EVP_CipherUpdate(context, job.out + i, &size, job.in + i, size);
    i += static_cast<std::size_t>(size);
  }
  job.status = Status::done;
}

}  // namespace

Manager* make_manager() { return new Manager{.contexts = Contexts(1)}; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  work_on(manager, job);
  return &job;
}

Job* flush(Manager&) { return nullptr; }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) work_on(manager, job);
}

void decrypt(std::span<Job> jobs) {
  static thread_local Manager manager{.contexts = Contexts(0)};
  batch(manager, jobs);
}

}  // namespace aes_cbc
