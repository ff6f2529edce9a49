// Intel's multi-buffer library behind the contract. The source that includes this chooses the manager of the library.
#pragma once

#include <cstring>

#include "common/multibuffer/ipsec_mb.hpp"
#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/peers/with_hash.hpp"

namespace hmac_sha1 {
namespace {

void choose(IMB_MGR* manager);  // of the including source

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

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  const auto manager = ladder::library_manager(choose);
  key = {};
  if (bytes.size() > block_bytes) {
    IMB_SHA1(manager.get(), bytes.data(), bytes.size(), key.padded.data());
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
  std::uint8_t inner[block_bytes], outer[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) {
    inner[i] = key.padded[i] ^ 0x36;
    outer[i] = key.padded[i] ^ 0x5C;
  }
  IMB_SHA1_ONE_BLOCK(manager.get(), inner, key.inner.data());
  IMB_SHA1_ONE_BLOCK(manager.get(), outer, key.outer.data());
}

struct Manager : ladder::ManagerBase {
  Job* submit(Job& job) {
    if (refused(job)) return &job;
    return hashed(job);
  }

  Job* flush() { return ladder::done<Job>(IMB_FLUSH_JOB(jobs.get())); }

  // In bursts of jobs with a key. Plain hashes are submitted one by one.
  void batch(std::span<Job> all) {
    while (flush()) {
    }
    std::uint32_t count = 0;
    const auto finish = [&] {
      if (with_hash && count != 0) IMB_SUBMIT_HASH_BURST_NOCHECK(jobs.get(), burst, count, IMB_AUTH_HMAC_SHA_1);
      for (std::uint32_t i = 0; i < count; ++i) ladder::done<Job>(&burst[i]);
      count = 0;
    };
    for (Job& job : all) {
      if (refused(job)) continue;
      if (!job.key) {
        hashed(job);
        continue;
      }
      fill(burst[count], job);
      if (!with_hash) std::memset(job.digest, 0, job.digest_size);
      if (++count == IMB_MAX_BURST_SIZE) finish();
    }
    finish();
    while (flush()) {
    }
  }

  Job* hashed(Job& job) {
    IMB_JOB* const next = IMB_GET_NEXT_JOB(jobs.get());
    fill(*next, job);
    if (with_hash) return ladder::done<Job>(IMB_SUBMIT_JOB_NOCHECK(jobs.get()));
    std::memset(job.digest, 0, job.digest_size);
    return ladder::done<Job>(next);
  }

  ladder::LibraryManager jobs = ladder::library_manager(choose);
  IMB_JOB burst[IMB_MAX_BURST_SIZE] = {};
};

}  // namespace hmac_sha1

#include "hmac-sha1/functions.hpp"
