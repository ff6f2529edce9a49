// 06 The shortest lane in one instruction, which finds the least of eight words of 16 bits and where it is.
// requires: aes sse4.1
// variants: no-kernel
#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/lanes.hpp"

namespace aes_cbc {

constexpr std::size_t most_blocks = 0xFFFE;  // that a lane counts at a time; one more stands for none

struct Manager {
  Lanes lanes{};
  std::array<Job*, width> jobs;            // in the lanes
  Vector left = _mm_set1_epi16(-1);        // blocks in each lane that count, as words of 16 bits
  Vector idle_lanes = _mm_set1_epi16(-1);  // all ones in each
  std::array<std::size_t, width> later;    // blocks in each lane beyond those
  std::array<unsigned, width> unused;      // lanes, of which the first `idle` are
  unsigned idle = width;
  Problem problem = Problem::none;

  Manager() {
    for (unsigned lane = 0; lane < width; ++lane) unused[lane] = lane;
  }
};

namespace {

// No store of two bytes: a load of all sixteen would have to wait until it has left the core.
void set(Vector& words, unsigned lane, std::size_t word) {
  const Vector here = _mm_cmpeq_epi16(_mm_set1_epi16(static_cast<short>(lane)), _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
  words = _mm_blendv_epi8(words, _mm_set1_epi16(static_cast<short>(word)), here);
}

void count(Manager& manager, unsigned lane, std::size_t blocks) {
  const std::size_t now = std::min(blocks, most_blocks);
  set(manager.left, lane, now);
  manager.later[lane] = blocks - now;
}

// Works until the lane with the least to do has done it. The others go on from there next time.
Job* finish_shortest(Manager& manager) {
  for (;;) {
    const Vector shortest = _mm_minpos_epu16(manager.left);
    const unsigned blocks = _mm_extract_epi16(shortest, 0), lane = _mm_extract_epi16(shortest, 1);
    if (blocks != 0) {
      for (unsigned i = 0; i < manager.idle; ++i) manager.lanes.copy(manager.unused[i], lane);
      encrypt(manager.lanes, block_bytes * blocks);
      manager.left = _mm_sub_epi16(manager.left, _mm_set1_epi16(static_cast<short>(blocks))) | manager.idle_lanes;
    }
    if (manager.later[lane] != 0) {
      count(manager, lane, manager.later[lane]);
      continue;
    }
    set(manager.left, lane, 0xFFFF);
    set(manager.idle_lanes, lane, 0xFFFF);
    manager.unused[manager.idle++] = lane;
    manager.jobs[lane]->status = Status::done;
    return manager.jobs[lane];
  }
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  const unsigned lane = manager.unused[--manager.idle];
  manager.lanes.put(lane, job);
  manager.jobs[lane] = &job;
  set(manager.idle_lanes, lane, 0);
  count(manager, lane, job.size / block_bytes);
  return manager.idle == 0 ? finish_shortest(manager) : nullptr;
}

Job* flush(Manager& manager) { return manager.idle == width ? nullptr : finish_shortest(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
