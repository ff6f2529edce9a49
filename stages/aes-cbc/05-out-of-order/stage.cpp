// 05 Out of order: the shortest lane is finished, handed back and filled again, and the others never stop.
// requires: aes
#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/one_block.hpp"

namespace aes_cbc {
namespace {

constexpr unsigned width = 8;  // lanes: buffers that are worked on side by side
constexpr std::size_t nothing = SIZE_MAX;

struct Lanes {
  const std::uint8_t* in[width];
  std::uint8_t* out[width];
  const Key* key[width];
  Vector chained[width];

  void put(unsigned lane, const Job& job) {
    in[lane] = job.in, out[lane] = job.out, key[lane] = job.key, chained[lane] = load(job.iv);
  }
  // One lane does the work of another once more, and writes the same to the same place.
  void copy(unsigned to, unsigned from) {
    in[to] = in[from], out[to] = out[from], key[to] = key[from], chained[to] = chained[from];
  }
};

}  // namespace

struct Manager {
  Lanes lanes{};
  std::array<Job*, width> jobs;         // in the lanes
  std::array<std::size_t, width> left;  // bytes in each lane, or far more than any job has
  std::array<unsigned, width> unused;   // lanes, of which the first `idle` are
  unsigned idle = width;
  Problem problem = Problem::none;

  Manager() {
    left.fill(nothing);
    for (unsigned lane = 0; lane < width; ++lane) unused[lane] = lane;
  }
};

namespace {

// The next `size` bytes of every lane.
void encrypt(Lanes& lanes, std::size_t size) {
  Vector blocks[width];
#pragma GCC unroll 8
  for (unsigned lane = 0; lane < width; ++lane) blocks[lane] = lanes.chained[lane];
  for (std::size_t i = 0; i < size; i += block_bytes) {
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) {
      blocks[lane] ^= load(lanes.in[lane] + i) ^ load(&lanes.key[lane]->encrypting[0]);
    }
    for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 8
      for (unsigned lane = 0; lane < width; ++lane) {
        blocks[lane] = _mm_aesenc_si128(blocks[lane], load(&lanes.key[lane]->encrypting[round]));
      }
    }
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) {
      blocks[lane] = _mm_aesenclast_si128(blocks[lane], load(&lanes.key[lane]->encrypting[rounds]));
    }
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < width; ++lane) store(lanes.out[lane] + i, blocks[lane]);
  }
  for (unsigned lane = 0; lane < width; ++lane) {
    lanes.in[lane] += size, lanes.out[lane] += size, lanes.chained[lane] = blocks[lane];
  }
}

// Works until the lane with the least to do has done it. The others go on from there next time.
Job* finish_shortest(Manager& manager) {
  const auto shortest = std::min_element(manager.left.begin(), manager.left.end());
  const unsigned lane = static_cast<unsigned>(shortest - manager.left.begin());
  if (const std::size_t size = *shortest; size != 0) {
    for (unsigned i = 0; i < manager.idle; ++i) manager.lanes.copy(manager.unused[i], lane);
    encrypt(manager.lanes, size);
    for (std::size_t& left : manager.left) left -= size;
  }
  manager.left[lane] = nothing;
  manager.unused[manager.idle++] = lane;
  manager.jobs[lane]->status = Status::done;
  return manager.jobs[lane];
}

bool refused(Manager& manager, Job& job) {
  const Problem problem = problem_of(job);
  if (problem == Problem::none) return false;
  manager.problem = problem;
  job.status = Status::invalid;
  return true;
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  const unsigned lane = manager.unused[--manager.idle];
  manager.lanes.put(lane, job);
  manager.jobs[lane] = &job;
  manager.left[lane] = job.size;
  return manager.idle == 0 ? finish_shortest(manager) : nullptr;
}

Job* flush(Manager& manager) { return manager.idle == width ? nullptr : finish_shortest(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

void decrypt(std::span<Job> jobs) {
  for (Job& job : jobs) {
    const bool valid = problem_of(job) == Problem::none;
    if (valid) decrypt(job);
    job.status = valid ? Status::done : Status::invalid;
  }
}

}  // namespace aes_cbc
