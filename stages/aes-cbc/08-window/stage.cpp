// 08 A window: what is submitted is gathered, sorted as a batch is, and handed back one by one afterwards.
// requires: aes
#include <algorithm>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/lanes.hpp"

namespace aes_cbc {

constexpr std::size_t window = 128;     // jobs that `submit` gathers
constexpr std::size_t portion = 1'024;  // jobs that are sorted together
constexpr std::size_t bins = 256;       // by number of blocks; longer buffers share the last one

// By the time that a window is full, all that were ready have been handed back.
struct Manager {
  std::array<Job*, window> waiting, ready;
  std::size_t count = 0;               // of those waiting
  std::size_t next = 0, finished = 0;  // of those ready: which one is next, and how many there were
  std::array<Job*, portion> valid, sorted;
  Problem problem = Problem::none;
};

namespace {

std::uint8_t nothing[block_bytes];  // a buffer for empty jobs

// By number of blocks, least first: count, add up, put each job in its place. Jobs of one length stay where they are.
Job* const* sort(Job** sorted, Job* const* jobs, std::size_t count) {
  const auto as_long_as_first = [&](const Job* job) { return job->size == jobs[0]->size; };
  if (std::all_of(jobs, jobs + count, as_long_as_first)) return jobs;
  std::uint16_t begins[bins + 1] = {};
  const auto bin_of = [](const Job* job) { return std::min(job->size / block_bytes, bins - 1); };
  for (std::size_t i = 0; i < count; ++i) ++begins[bin_of(jobs[i]) + 1];
  for (std::size_t bin = 1; bin < bins; ++bin) begins[bin] += begins[bin - 1];
  Job** const longest = sorted + begins[bins - 1];
  for (std::size_t i = 0; i < count; ++i) sorted[begins[bin_of(jobs[i])]++] = jobs[i];
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

void encrypt_all(Manager& manager, Job* const* jobs, std::size_t count) {
  encrypt_sorted(sort(manager.sorted.data(), jobs, count), count);
}

void work_on_waiting(Manager& manager) {
  if (manager.count != 0) encrypt_all(manager, manager.waiting.data(), manager.count);
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
  if (manager.count == window) work_on_waiting(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.finished) work_on_waiting(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
    std::size_t count = 0;
    for (Job& job : jobs.first(std::min(jobs.size(), portion))) {
      if (refused(job, manager.problem)) continue;
      manager.valid[count++] = &job;
      job.status = Status::done;
    }
    if (count != 0) encrypt_all(manager, manager.valid.data(), count);
  }
}

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
