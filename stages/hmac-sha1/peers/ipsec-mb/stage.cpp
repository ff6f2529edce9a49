// Intel's multi-buffer library, the paper's own descendant, with the manager of this level: 2 to 16 lanes.
// requires: x86-64
// lacks: empty long truncated
// links: IPSec_MB
#include <intel-ipsec-mb.h>

#include <cstring>
#include <new>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/jobs.hpp"

namespace hmac_sha1 {

struct Manager {
  IMB_MGR* jobs = alloc_mb_mgr(0);
  IMB_JOB burst[IMB_MAX_BURST_SIZE] = {};
  Problem problem = Problem::none;
};

namespace {

void fill(IMB_JOB& to, Job& job) {
  to.cipher_mode = IMB_CIPHER_NULL;
  to.cipher_direction = IMB_DIR_ENCRYPT;
  to.chain_order = IMB_ORDER_HASH_CIPHER;
  to.src = job.data;
  to.hash_start_src_offset_in_bytes = 0;
  to.msg_len_to_hash_in_bytes = job.size;
  to.auth_tag_output = job.digest;
  to.auth_tag_output_len_in_bytes = digest_bytes;
  to.user_data = &job;
  if (job.key) {
    to.hash_alg = IMB_AUTH_HMAC_SHA_1;
    to.u.HMAC._hashed_auth_key_xor_ipad = reinterpret_cast<const std::uint8_t*>(job.key->inner.data());
    to.u.HMAC._hashed_auth_key_xor_opad = reinterpret_cast<const std::uint8_t*>(job.key->outer.data());
  } else {
    to.hash_alg = IMB_AUTH_SHA_1;
  }
}

Job* done(const IMB_JOB* finished) {
  if (finished == nullptr) return nullptr;
  Job* const job = static_cast<Job*>(finished->user_data);
  job->status = Status::done;
  return job;
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  const Manager* const manager = make_manager();
  key = {};
  if (bytes.size() > block_bytes) {
    IMB_SHA1(manager->jobs, bytes.data(), bytes.size(), key.padded.data());
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
  std::uint8_t inner[block_bytes], outer[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) {
    inner[i] = key.padded[i] ^ 0x36;
    outer[i] = key.padded[i] ^ 0x5C;
  }
  IMB_SHA1_ONE_BLOCK(manager->jobs, inner, key.inner.data());
  IMB_SHA1_ONE_BLOCK(manager->jobs, outer, key.outer.data());
  free_manager(const_cast<Manager*>(manager));
}

Manager* make_manager() {
  Manager* const manager = new Manager;
  if (manager->jobs == nullptr) throw std::bad_alloc();
#if defined(__AVX512F__)
  init_mb_mgr_avx512(manager->jobs);
#elif defined(__AVX2__)
  init_mb_mgr_avx2(manager->jobs);
#else
  init_mb_mgr_sse(manager->jobs);
#endif
  return manager;
}

void free_manager(Manager* manager) {
  free_mb_mgr(manager->jobs);
  delete manager;
}

Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  fill(*IMB_GET_NEXT_JOB(manager.jobs), job);
  return done(IMB_SUBMIT_JOB_NOCHECK(manager.jobs));
}

Job* flush(Manager& manager) { return done(IMB_FLUSH_JOB(manager.jobs)); }

// In bursts of jobs with a key; its bursts know no plain hash, so the others go one by one.
void batch(Manager& manager, std::span<Job> jobs) {
  while (flush(manager)) {
  }
  std::uint32_t count = 0;
  const auto finish = [&] {
    if (count != 0) IMB_SUBMIT_HASH_BURST_NOCHECK(manager.jobs, manager.burst, count, IMB_AUTH_HMAC_SHA_1);
    for (std::uint32_t i = 0; i < count; ++i) done(&manager.burst[i]);
    count = 0;
  };
  for (Job& job : jobs) {
    if (refused(job, manager.problem)) continue;
    if (!job.key) {
      fill(*IMB_GET_NEXT_JOB(manager.jobs), job);
      done(IMB_SUBMIT_JOB_NOCHECK(manager.jobs));
      continue;
    }
    fill(manager.burst[count], job);
    if (++count == IMB_MAX_BURST_SIZE) finish();
  }
  finish();
  while (flush(manager)) {
  }
}

}  // namespace hmac_sha1
