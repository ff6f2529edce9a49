// What stage 09 came to, for the stages after it: jobs are gathered, sorted by length, and handed back one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/jobs.hpp"
#include "hmac-sha1/words.hpp"

namespace hmac_sha1 {

constexpr std::size_t window = 128;     // jobs that submit gathers
constexpr std::size_t portion = 1'024;  // jobs that are sorted at once

// What every manager has, whatever else a stage adds to its own.
struct Gathering {
  Problem problem = Problem::none;
  Job* jobs[portion];
  std::size_t count = 0;          // the first so many wait for company
  std::size_t next = 0, end = 0;  // from next to end they are finished, and go back one at a time
  Job* sorted[portion];
};

static inline Word blocks_of(const Job& job) { return static_cast<Word>((job.size + 8) / block_bytes + 1); }

// Jobs of so many blocks lie in the same bin: each number has its own, where there are many blocks each power of two.
constexpr Word fine_bins = 64, bins = fine_bins + 33;
static inline Word bin_of(const Job& job) {
  const Word blocks = blocks_of(job);
  return blocks < fine_bins ? blocks : fine_bins + static_cast<Word>(std::bit_width(blocks));
}

// Those of similar length side by side; where all are of one bin, they are that already.
static inline std::span<Job* const> sorted(Gathering& manager) {
  const std::span<Job*> jobs(manager.jobs, manager.count);
  if (std::ranges::all_of(jobs, [&](const Job* job) { return bin_of(*job) == bin_of(*jobs[0]); })) return jobs;
  std::size_t begin[bins + 1] = {};  // of each bin
  for (const Job* job : jobs) ++begin[bin_of(*job) + 1];
  for (Word bin = 0; bin < bins; ++bin) begin[bin + 1] += begin[bin];
  for (Job* job : jobs) manager.sorted[begin[bin_of(*job)]++] = job;
  return {manager.sorted, jobs.size()};
}

// All that wait: the stage's `work_on` gets what the manager has for the ends of messages, and a job for each lane, or
// fewer.
template <auto work_on, std::size_t lanes, class AnyManager>
static void work(AnyManager& manager) {
  const std::span<Job* const> jobs = sorted(manager);
  for (std::size_t i = 0; i < jobs.size(); i += lanes) {
    work_on(manager.tails, jobs.subspan(i, std::min(lanes, jobs.size() - i)));
  }
  manager.next = 0;
  manager.end = std::exchange(manager.count, 0);
}

static inline Job* hand_back(Gathering& manager) {
  if (manager.next == manager.end) return nullptr;
  Job* const job = manager.jobs[manager.next++];
  job->status = Status::done;
  return job;
}

// The calls of the contract, as each stage makes them its own.
template <auto work_on, std::size_t lanes, class AnyManager>
[[gnu::always_inline]] static inline Job* submit(AnyManager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  manager.jobs[manager.count++] = &job;
  if (manager.count == window) work<work_on, lanes>(manager);
  return hand_back(manager);
}

template <auto work_on, std::size_t lanes, class AnyManager>
[[gnu::always_inline]] static inline Job* flush(AnyManager& manager) {
  if (manager.next == manager.end && manager.count != 0) work<work_on, lanes>(manager);
  return hand_back(manager);
}

template <auto work_on, std::size_t lanes, class AnyManager>
[[gnu::always_inline]] static inline void batch(AnyManager& manager, std::span<Job> jobs) {
  while (flush<work_on, lanes>(manager)) {
  }
  while (!jobs.empty()) {
    const std::span<Job> some = jobs.first(std::min(portion, jobs.size()));
    for (Job& job : some) {
      if (!refused(job, manager.problem)) manager.jobs[manager.count++] = &job;
    }
    work<work_on, lanes>(manager);
    while (hand_back(manager)) {
    }
    jobs = jobs.subspan(some.size());
  }
}

}  // namespace hmac_sha1
