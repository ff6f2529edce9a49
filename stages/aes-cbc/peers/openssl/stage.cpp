// OpenSSL: one buffer after the other, the context and all else but the key kept from job to job.
// links: libcrypto
#include <openssl/evp.h>

#include <algorithm>
#include <new>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager {
  EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, "AES-128-CBC", nullptr);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  Problem problem = Problem::none;
};

namespace {

OwnManager manager_for(int encrypting) {
  OwnManager manager(new Manager);
  if (!EVP_CipherInit_ex2(manager->context, manager->cipher, nullptr, nullptr, encrypting, nullptr)) {
    throw std::bad_alloc();
  }
  EVP_CIPHER_CTX_set_padding(manager->context, 0);
  return manager;
}

// The first round key is the key itself.
void work_on(Manager& manager, Job& job) {
  if (const Problem problem = problem_of(job); problem != Problem::none) {
    manager.problem = problem;
    job.status = Status::invalid;
    return;
  }
  EVP_CipherInit_ex2(manager.context, nullptr, job.key->encrypting[0].data(), job.iv, -1, nullptr);
  for (std::size_t i = 0; i < job.size;) {
    constexpr std::size_t most = 0x4000'0000;  // its sizes are signed
    int size = static_cast<int>(std::min(job.size - i, most));
    EVP_CipherUpdate(manager.context, job.out + i, &size, job.in + i, size);
    i += static_cast<std::size_t>(size);
  }
  job.status = Status::done;
}

}  // namespace

Manager* make_manager() { return manager_for(1).release(); }

void free_manager(Manager* manager) {
  EVP_CIPHER_CTX_free(manager->context);
  EVP_CIPHER_free(manager->cipher);
  delete manager;
}

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
  static thread_local const OwnManager manager = manager_for(0);
  batch(*manager, jobs);
}

}  // namespace aes_cbc
