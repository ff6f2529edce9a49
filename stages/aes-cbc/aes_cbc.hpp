// AES-128-CBC (FIPS 197, SP 800-38A), without padding, of many independent buffers, as jobs of a manager.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/jobs.hpp"

namespace aes_cbc {

using ladder::Problem, ladder::Status;

constexpr std::size_t block_bytes = 16;
constexpr unsigned rounds = 10;
constexpr std::size_t most_bytes = 0xFFFF'FFF0;  // of a buffer

using Block = std::array<std::uint8_t, block_bytes>;

// A key expanded beforehand, as the paper has it (schedule.hpp); it begins where a line of the cache does.
struct alignas(64) Key {
  std::array<Block, rounds + 1> encrypting;  // the first one is the key itself
  std::array<Block, rounds + 1> decrypting;  // for the equivalent inverse cipher, in the order of their use
};

struct Job {
  const std::uint8_t* in;
  std::uint8_t* out;
  std::size_t size;  // bytes, whole blocks, at most most_bytes
  const Key* key;
  const std::uint8_t* iv;  // one block
  Status status;           // the manager's
};

struct Manager;  // each stage has its own

Manager* make_manager();
void free_manager(Manager* manager);

// Contract: a job belongs to the manager until it comes back, which it does once: done, in any order, or invalid, and
// then at once.
// `submit` takes a job and hands one back, or none. `flush` hands one back, and none only if the manager is empty.
// When `batch` returns, its jobs are back, and so are all that the manager had. `in` and `out` are the same or wholly
// apart, and no `out` overlaps what another job reads or writes; buffers and iv stand at any address, also where they
// are empty, but not at null; keys and ivs may be shared. Nothing outside them is touched. A manager is for one thread
// at a time.
Job* submit(Manager& manager, Job& job);
Job* flush(Manager& manager);
void batch(Manager& manager, std::span<Job> jobs);

// What was wrong with the last invalid job; none if there was none.
Problem problem(const Manager& manager);

// The way back wants no manager: the blocks of one buffer can be deciphered side by side. Invalid jobs are marked.
void decrypt(std::span<Job> jobs);

// One by one: Clang would look at two addresses at once, and a vector that has just been written as two words comes
// only when both are in the cache.
inline bool is_null(const void* address) {
  asm("" : "+r"(address));
  return address == nullptr;
}

inline Problem problem_of(const Job& job) {
  if (is_null(job.in) || is_null(job.out) || is_null(job.key) || is_null(job.iv)) return Problem::null_pointer;
  if (job.size % block_bytes != 0) return Problem::not_whole_blocks;
  if (job.size > most_bytes) return Problem::too_long;
  return Problem::none;
}

struct FreeManager {
  void operator()(Manager* manager) const { free_manager(manager); }
};
using OwnManager = std::unique_ptr<Manager, FreeManager>;

}  // namespace aes_cbc
