// Intel's multi-buffer library behind the contract. The source that includes this chooses the manager of the library.
#pragma once

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/peers/with_cipher.hpp"
#include "common/adapter.hpp"
#include "common/multibuffer/ipsec_mb.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {
namespace {

void choose(IMB_MGR* manager);  // of the including source

void fill(IMB_JOB& to, Job& job, IMB_CIPHER_DIRECTION direction) {
  to.cipher_mode = IMB_CIPHER_CBC;
  to.cipher_direction = direction;
  to.hash_alg = IMB_AUTH_NULL;
  to.chain_order = IMB_ORDER_CIPHER_HASH;
  to.src = job.in;
  to.dst = job.out;
  to.cipher_start_src_offset_in_bytes = 0;
  to.msg_len_to_cipher_in_bytes = job.size;
  to.enc_keys = job.key->encrypting.data();
  to.dec_keys = job.key->decrypting.data();
  to.key_len_in_bytes = IMB_KEY_128_BYTES;
  to.iv = job.iv;
  to.iv_len_in_bytes = block_bytes;
  to.user_data = &job;
}

}  // namespace

struct Manager : ladder::ManagerBase {
  Job* submit(Job& job) {
    if (refused(job)) return &job;
    IMB_JOB* const next = IMB_GET_NEXT_JOB(jobs.get());
    fill(*next, job, IMB_DIR_ENCRYPT);
    if (with_cipher) return ladder::done<Job>(IMB_SUBMIT_JOB_NOCHECK(jobs.get()));
    ladder::copy(job.out, job.in, job.size);
    return ladder::done<Job>(next);
  }

  Job* flush() { return ladder::done<Job>(IMB_FLUSH_JOB(jobs.get())); }

  void batch(std::span<Job> all) {
    while (flush()) {
    }
    in_bursts(all, IMB_DIR_ENCRYPT);
  }

  void in_bursts(std::span<Job> all, IMB_CIPHER_DIRECTION direction) {
    std::uint32_t count = 0;
    const auto finish = [&] {
      if (count == 0) return;
      if (with_cipher) {
        IMB_SUBMIT_CIPHER_BURST_NOCHECK(jobs.get(), burst, count, IMB_CIPHER_CBC, direction, IMB_KEY_128_BYTES);
      }
      for (std::uint32_t i = 0; i < count; ++i) ladder::done<Job>(&burst[i]);
      count = 0;
    };
    for (Job& job : all) {
      if (refused(job)) continue;
      fill(burst[count], job, direction);
      if (!with_cipher) ladder::copy(job.out, job.in, job.size);
      if (++count == IMB_MAX_BURST_SIZE) finish();
    }
    finish();
  }

  ladder::LibraryManager jobs = ladder::library_manager(choose);
  IMB_JOB burst[IMB_MAX_BURST_SIZE] = {};
};

void decrypt(std::span<Job> jobs) {
  static thread_local Manager manager;
  manager.in_bursts(jobs, IMB_DIR_DECRYPT);
}

}  // namespace aes_cbc

#include "aes-cbc/manager_functions.hpp"
