// 07 A batch is sorted by length: lanes that begin together end together, and no shortest one is looked for.
// requires: aes sse4.1
#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/lanes.hpp"

namespace aes_cbc {

constexpr std::size_t most_blocks = 0xFFFE;  // that a lane counts at a time; one more stands for none
constexpr std::size_t portion = 1'024;       // jobs that are sorted together
constexpr std::size_t bins = 256;            // by number of blocks; longer buffers share the last one

struct Manager {
  Lanes lanes{};
  std::array<Job*, width> jobs;            // in the lanes
  Vector left = _mm_set1_epi16(-1);        // blocks in each lane that count, as words of 16 bits
  Vector idle_lanes = _mm_set1_epi16(-1);  // all ones in each
  std::array<std::size_t, width> later;    // blocks in each lane beyond those
  std::array<unsigned, width> unused;      // lanes, of which the first `idle` are
  unsigned idle = width;
  Problem problem = Problem::none;
  // Of a batch: its jobs, and the bin of each.
  std::array<Job*, portion> gathered, sorted;
  std::array<std::uint16_t, portion> bin_of;

  Manager() {
    for (unsigned lane = 0; lane < width; ++lane) unused[lane] = lane;
  }
};

namespace {

std::uint8_t nothing[block_bytes];  // a buffer for empty jobs

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

// What sorting has to know is noted while the job is at hand: a batch is more than the first cache holds.
void gather(Manager& manager, Job& job, std::size_t& count) {
  manager.gathered[count] = &job;
  manager.bin_of[count] = static_cast<std::uint16_t>(std::min(job.size / block_bytes, bins - 1));
  ++count;
}

// By number of blocks, least first: count, add up, put each job in its place.
Job* const* sort(Manager& manager, std::size_t count) {
  std::uint16_t begins[bins + 1] = {};
  for (std::size_t i = 0; i < count; ++i) ++begins[manager.bin_of[i] + 1];
  for (std::size_t bin = 1; bin < bins; ++bin) begins[bin] += begins[bin - 1];
  Job** const sorted = manager.sorted.data();
  Job** const longest = sorted + begins[bins - 1];
  for (std::size_t i = 0; i < count; ++i) sorted[begins[manager.bin_of[i]]++] = manager.gathered[i];
  std::sort(longest, sorted + count, [](const Job* a, const Job* b) { return a->size < b->size; });
  return sorted;
}

// As many jobs as there are lanes, least first: lanes that have ended go along with the shortest of the others.
void encrypt_group(Job* const* jobs) {
  Lanes lanes;
  for (unsigned lane = 0; lane < width; ++lane) lanes.put(lane, *jobs[lane]);
  std::size_t done = 0;
  for (unsigned lane = 0; lane < width; ++lane) {
    if (jobs[lane]->size == done) continue;
    for (unsigned ended = 0; ended < lane; ++ended) lanes.copy(ended, lane);
    encrypt(lanes, jobs[lane]->size - done);
    done = jobs[lane]->size;
  }
}

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others.
void encrypt_sorted(Job* const* jobs, std::size_t count) {
  if (const std::size_t few = count % width; few != 0) {
    Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
    std::array<Job*, width> group;
    group.fill(&empty);
    std::copy_n(jobs, few, group.end() - few);
    encrypt_group(group.data());
    jobs += few, count -= few;
  }
  for (std::size_t i = 0; i < count; i += width) encrypt_group(jobs + i);
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
  while (flush(manager)) {
  }
  for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
    std::size_t count = 0;
    bool alike = true;  // all are as long as the first one: they may stay where they are
    for (Job& job : jobs.first(std::min(jobs.size(), portion))) {
      if (refused(job, manager.problem)) continue;
      gather(manager, job, count);
      alike = alike & (job.size == manager.gathered[0]->size);
      job.status = Status::done;
    }
    if (count != 0) encrypt_sorted(alike ? manager.gathered.data() : sort(manager, count), count);
  }
}

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
