// 03 Four buffers side by side, as far as the shortest goes: while one waits for its round, three others go on.
// requires: aes
#include <immintrin.h>

#include <algorithm>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/one_block.hpp"

namespace aes_cbc {
namespace {

constexpr unsigned width = 4;  // lanes: buffers that are worked on side by side

struct Lanes {
  const std::uint8_t* in[width];
  std::uint8_t* out[width];
  const Key* key[width];
  Vector chained[width];

  void put(unsigned lane, const Job& job) {
    in[lane] = job.in, out[lane] = job.out, key[lane] = job.key, chained[lane] = load(job.iv);
  }
};

}  // namespace

// By the time that as many are waiting as there are lanes, all that were ready have been handed back.
struct Manager {
  std::array<Job*, width> waiting, ready;
  unsigned count = 0;               // of those waiting
  unsigned next = 0, finished = 0;  // of those ready: which one is next, and how many there were
  Problem problem = Problem::none;
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

// What is left of a lane.
void encrypt_alone(const Lanes& lanes, unsigned lane, std::size_t size) {
  Vector chained = lanes.chained[lane];
  for (std::size_t i = 0; i < size; i += block_bytes) {
    chained = encrypt(chained ^ load(lanes.in[lane] + i), *lanes.key[lane]);
    store(lanes.out[lane] + i, chained);
  }
}

void work_on_waiting(Manager& manager) {
  Lanes lanes;
  for (unsigned lane = 0; lane < manager.count; ++lane) lanes.put(lane, *manager.waiting[lane]);
  std::size_t least = 0;
  if (manager.count == width) {
    const auto shorter = [](const Job* a, const Job* b) { return a->size < b->size; };
    least = (*std::min_element(manager.waiting.begin(), manager.waiting.end(), shorter))->size;
    encrypt(lanes, least);
  }
  for (unsigned lane = 0; lane < manager.count; ++lane) {
    encrypt_alone(lanes, lane, manager.waiting[lane]->size - least);
  }
  std::swap(manager.waiting, manager.ready);
  manager.next = 0;
  manager.finished = std::exchange(manager.count, 0);
}

Job* hand_back(Manager& manager) {
  if (manager.next == manager.finished) return nullptr;
  Job* const job = manager.ready[manager.next++];
  job->status = Status::done;
  return job;
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  manager.waiting[manager.count++] = &job;
  if (manager.count == width) work_on_waiting(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.finished) work_on_waiting(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
