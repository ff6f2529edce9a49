// AES-128-CBC (FIPS 197, SP 800-38A), without padding, of many independent buffers, as jobs of a manager.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/multibuffer/jobs.hpp"

namespace aes_cbc {

using ladder::Problem, ladder::Status;

constexpr std::size_t block_bytes = 16;
constexpr unsigned rounds = 10;
constexpr std::size_t most_bytes = 0xFFFF'FFF0;  // of a buffer

using Block = std::array<std::uint8_t, block_bytes>;

// A key that was expanded beforehand, as in the paper (schedule.hpp). It begins at a cache line.
struct alignas(64) Key {
  std::array<Block, rounds + 1> encrypting;  // the first one is the key itself
  std::array<Block, rounds + 1> decrypting;  // for the equivalent inverse cipher, in the order of use
};

struct Job {
  const std::uint8_t* in;
  std::uint8_t* out;
  std::size_t size;  // bytes, whole blocks, at most most_bytes
  const Key* key;
  const std::uint8_t* iv;  // one block
  Status status;           // set by the manager
};

struct Manager;  // each stage defines its own, with methods for the functions below (functions.hpp)

Manager* make_manager();
void free_manager(Manager* manager);

// Contract: a job belongs to the manager until the manager returns it. Each job is returned once: done, in any order,
// or invalid, at once. `submit` takes a job, and returns one or none. `flush` returns one, and none only if the manager
// is empty. When `batch` returns, its valid jobs are done, and so are all that the manager had. `in` and `out` are the
// same or do not overlap at all, and no `out` overlaps what another job reads or writes. Buffers and ivs may have any
// address but null, also where buffers are empty; keys and ivs may be shared. Nothing outside them is touched. One
// thread at a time uses a manager.
Job* submit(Manager& manager, Job& job);
Job* flush(Manager& manager);
void batch(Manager& manager, std::span<Job> jobs);

// What was wrong with the last invalid job; none if there was none.
Problem problem(const Manager& manager);

// Decryption needs no manager: the blocks of one buffer can be decrypted in parallel. Invalid jobs are marked.
void decrypt(std::span<Job> jobs);

// No two neighbouring pointers are tested in a row: Clang would load them as a vector, and the load would stall on
// store forwarding.
inline Problem problem_of(const Job& job) {
  if (job.in == nullptr || job.key == nullptr) return Problem::null_pointer;
  if (job.size % block_bytes != 0) return Problem::not_whole_blocks;
  if (job.out == nullptr || job.iv == nullptr) return Problem::null_pointer;
  if (job.size > most_bytes) return Problem::too_long;
  return Problem::none;
}

inline std::size_t blocks_of(const Job& job) { return job.size / block_bytes; }

struct FreeManager {
  void operator()(Manager* manager) const { free_manager(manager); }
};
using OwnManager = std::unique_ptr<Manager, FreeManager>;

}  // namespace aes_cbc
