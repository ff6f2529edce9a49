// 09 One key for all: where all jobs have the same one, each round key is loaded once for all lanes.
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

// Whether jobs are all like the first one.
struct Alike {
  std::size_t size = 0;
  const Key* key = nullptr;
  bool sizes = true, keys = true;

  Alike() = default;
  explicit Alike(const Job& first) : size(first.size), key(first.key) {}
  void add(const Job& job) {
    sizes = sizes & (job.size == size);
    keys = keys & (job.key == key);
  }
};

// By the time that a window is full, all that were ready have been handed back.
struct Manager {
  std::array<Job*, portion> gathered, sorted;
  std::array<std::uint16_t, portion> bin_of;  // of those gathered
  std::size_t count = 0;                      // of those that `submit` gathered
  Alike alike;
  std::array<Job*, window> ready;
  std::size_t next = 0, finished = 0;  // of those ready: which one is next, and how many there were
  Problem problem = Problem::none;
};

namespace {

std::uint8_t nothing[block_bytes];  // a buffer for empty jobs

enum class Keys { one_each, one_for_all };

// The next `size` bytes of every lane.
template <Keys keys>
void encrypt(Lanes& lanes, std::size_t size) {
  encrypt(lanes, size, [&](unsigned lane, unsigned round) {
    return load(&lanes.key[keys == Keys::one_for_all ? 0 : lane]->encrypting[round]);
  });
}

// What sorting has to know is noted while the job is at hand: a batch is more than the first cache holds.
void gather(Manager& manager, Job& job, std::size_t& count, Alike& alike) {
  manager.gathered[count] = &job;
  manager.bin_of[count] = static_cast<std::uint16_t>(std::min(job.size / block_bytes, bins - 1));
  alike.add(job);
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
template <Keys keys>
void encrypt_group(Job* const* jobs) {
  Lanes lanes;
  for (unsigned lane = 0; lane < width; ++lane) lanes.put(lane, *jobs[lane]);
  std::size_t done = 0;
  for (unsigned lane = 0; lane < width; ++lane) {
    if (jobs[lane]->size == done) continue;
    for (unsigned ended = 0; ended < lane; ++ended) lanes.copy(ended, lane);
    encrypt<keys>(lanes, jobs[lane]->size - done);
    done = jobs[lane]->size;
  }
}

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others.
template <Keys keys>
void encrypt_sorted(Job* const* jobs, std::size_t count) {
  if (const std::size_t few = count % width; few != 0) {
    Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
    std::array<Job*, width> group;
    group.fill(&empty);
    std::copy_n(jobs, few, group.end() - few);
    encrypt_group<keys>(group.data());
    jobs += few, count -= few;
  }
  for (std::size_t i = 0; i < count; i += width) encrypt_group<keys>(jobs + i);
}

void encrypt_gathered(Manager& manager, std::size_t count, const Alike& alike) {
  if (count == 0) return;
  Job* const* const sorted = alike.sizes ? manager.gathered.data() : sort(manager, count);
  (alike.keys ? encrypt_sorted<Keys::one_for_all> : encrypt_sorted<Keys::one_each>)(sorted, count);
}

void work_on_waiting(Manager& manager) {
  encrypt_gathered(manager, manager.count, manager.alike);
  std::copy_n(manager.gathered.begin(), manager.count, manager.ready.begin());
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
  if (manager.count == 0) manager.alike = Alike(job);
  gather(manager, job, manager.count, manager.alike);
  if (manager.count == window) work_on_waiting(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.finished) work_on_waiting(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  while (flush(manager)) {
  }
  for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
    std::size_t count = 0;
    Alike alike(jobs[0]);
    for (Job& job : jobs.first(std::min(jobs.size(), portion))) {
      if (refused(job, manager.problem)) continue;
      gather(manager, job, count, alike);
      job.status = Status::done;
    }
    encrypt_gathered(manager, count, alike);
  }
}

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
