// HMAC-SHA1 (RFC 2104, FIPS 180-4) and plain SHA-1 of many independent messages, as jobs of a manager.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/multibuffer/jobs.hpp"

namespace hmac_sha1 {

using ladder::Problem, ladder::Status;

constexpr std::size_t block_bytes = 64, digest_bytes = 20;
constexpr std::size_t most_bytes = 0xFFFF'FFFF;  // of a message

using State = std::array<std::uint32_t, 5>;  // the words a to e
constexpr State initial_state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

// `prepare` fills it; a stage may leave out the parts that it does not read.
struct alignas(block_bytes) Key {
  State inner, outer;                            // after the first block of the inner and of the outer hash
  std::array<std::uint8_t, block_bytes> padded;  // with zeros; a key longer than a block is hashed first
};
void prepare(Key& key, std::span<const std::uint8_t> bytes);  // at most most_bytes

struct Job {
  const std::uint8_t* data;  // the message; may be null where it is empty
  std::size_t size;          // bytes, at most most_bytes
  const Key* key;            // null: SHA-1 alone
  std::uint8_t* digest;      // room for digest_size bytes
  std::size_t digest_size;   // 1 to digest_bytes: that many bytes of the digest are stored
  Status status;             // set by the manager
};

struct Manager;  // each stage defines its own, with methods for the functions below (functions.hpp)

Manager* make_manager();
void free_manager(Manager* manager);

// Contract: a job belongs to the manager until the manager returns it. Each job is returned once: done, in any order,
// or invalid, at once. `submit` takes a job, and returns one or none. `flush` returns one, and none only if the
// manager is empty. When `batch` returns, its valid jobs are done, and so are all that the manager had. Messages and
// digests may have any address. Messages and keys may be shared; a digest overlaps nothing. Nothing outside them is
// touched. One thread at a time uses a manager.
Job* submit(Manager& manager, Job& job);
Job* flush(Manager& manager);
void batch(Manager& manager, std::span<Job> jobs);

// What was wrong with the last invalid job; none if there was none.
Problem problem(const Manager& manager);

inline Problem problem_of(const Job& job) {
  if ((job.data == nullptr && job.size != 0) || job.digest == nullptr) return Problem::null_pointer;
  if (job.size > most_bytes) return Problem::too_long;
  if (job.digest_size - 1 >= digest_bytes) return Problem::result_size;
  return Problem::none;
}

// Of the padded message.
inline std::size_t blocks_of(const Job& job) { return (job.size + 8) / block_bytes + 1; }

struct FreeManager {
  void operator()(Manager* manager) const { free_manager(manager); }
};
using OwnManager = std::unique_ptr<Manager, FreeManager>;

}  // namespace hmac_sha1
