// Intel's multi-buffer library behind the contract; which of its managers is the affair of the source that includes
// this.
#pragma once

#include <intel-ipsec-mb.h>

#include <new>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"

namespace aes_cbc {

struct Manager {
  IMB_MGR* jobs = alloc_mb_mgr(0);
  IMB_JOB burst[IMB_MAX_BURST_SIZE] = {};
  Problem problem = Problem::none;
};

namespace {

void choose(IMB_MGR* manager);  // the including source's

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

Job* done(const IMB_JOB* finished) {
  if (finished == nullptr) return nullptr;
  Job* const job = static_cast<Job*>(finished->user_data);
  job->status = Status::done;
  return job;
}

void in_bursts(Manager& manager, std::span<Job> jobs, IMB_CIPHER_DIRECTION direction) {
  std::uint32_t count = 0;
  const auto finish = [&] {
    if (count == 0) return;
    IMB_SUBMIT_CIPHER_BURST_NOCHECK(manager.jobs, manager.burst, count, IMB_CIPHER_CBC, direction, IMB_KEY_128_BYTES);
    for (std::uint32_t i = 0; i < count; ++i) done(&manager.burst[i]);
    count = 0;
  };
  for (Job& job : jobs) {
    if (refused(job, manager.problem)) continue;
    fill(manager.burst[count], job, direction);
    if (++count == IMB_MAX_BURST_SIZE) finish();
  }
  finish();
}

}  // namespace

Manager* make_manager() {
  Manager* const manager = new Manager;
  if (manager->jobs == nullptr) throw std::bad_alloc();
  choose(manager->jobs);
  return manager;
}

void free_manager(Manager* manager) {
  free_mb_mgr(manager->jobs);
  delete manager;
}

Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  fill(*IMB_GET_NEXT_JOB(manager.jobs), job, IMB_DIR_ENCRYPT);
  return done(IMB_SUBMIT_JOB_NOCHECK(manager.jobs));
}

Job* flush(Manager& manager) { return done(IMB_FLUSH_JOB(manager.jobs)); }

void batch(Manager& manager, std::span<Job> jobs) {
  while (flush(manager)) {
  }
  in_bursts(manager, jobs, IMB_DIR_ENCRYPT);
}

void decrypt(std::span<Job> jobs) {
  static thread_local const OwnManager manager(make_manager());
  in_bursts(*manager, jobs, IMB_DIR_DECRYPT);
}

}  // namespace aes_cbc
