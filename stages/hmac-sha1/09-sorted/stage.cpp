// 09 Jobs are gathered and sorted by length: those side by side end together, and nobody looks for the shortest.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/jobs.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/message.hpp"
#include "hmac-sha1/steps.hpp"
#include "hmac-sha1/transpose.hpp"

namespace hmac_sha1 {

constexpr std::size_t window = 128;     // jobs that submit gathers
constexpr std::size_t portion = 1'024;  // jobs that are sorted at once

struct Manager {
  Problem problem = Problem::none;
  Job* jobs[portion];
  std::size_t count = 0;          // the first so many wait for company
  std::size_t next = 0, end = 0;  // from next to end they are finished, and go back one at a time
  Job* sorted[portion];
};

namespace {

#if defined(__AVX512F__)
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;
#endif

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

// The 64 bytes at which each lane stands, in words: a row is a vector full of one lane's.
[[gnu::always_inline]] inline BlockOf<Lanes> load(const std::uint8_t* const (&at)[lanes]) {
  BlockOf<Lanes> rows;
  for (std::size_t part = 0; part < words; part += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      std::memcpy(&rows[part + lane], at[lane] + 4 * part, sizeof(Lanes));
  }
  transpose(rows);
  for (Lanes& row : rows) row = bytes_reversed(row);
  return rows;
}

Word blocks_of(const Job& job) { return static_cast<Word>((job.size + 8) / block_bytes + 1); }

// A lane whose message has ended goes on with its last block, and keeps its state.
void hash(StateOf<Lanes>& state, const Message (&messages)[lanes]) {
  Lanes blocks;
  Word longest = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    blocks[lane] = static_cast<Word>(messages[lane].blocks);
    longest = std::max(longest, static_cast<Word>(messages[lane].blocks));
  }
  for (Word b = 0; b < longest; ++b) {
    const std::uint8_t* at[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      at[lane] = messages[lane].block(std::min<std::size_t>(b, messages[lane].blocks - 1));
    }
    const StateOf<Lanes> before = state;
    compress(state, load(at));
    for (int i = 0; i < 5; ++i) state[i] = blocks > b ? state[i] : before[i];
  }
}

State state_of(const StateOf<Lanes>& states, std::size_t lane) {
  State state;
  for (int i = 0; i < 5; ++i) state[i] = states[i][lane];
  return state;
}

// One job a lane; where there are fewer, the first one is in the others, too.
void work_on(std::span<Job* const> jobs) {
  StateOf<Lanes> inner, outer;
  Message messages[lanes];
  bool any_key = false;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Job& job = *jobs[lane < jobs.size() ? lane : 0];
    any_key |= job.key != nullptr;
    for (int i = 0; i < 5; ++i) {
      inner[i][lane] = job.key ? job.key->inner[i] : initial_state[i];
      outer[i][lane] = job.key ? job.key->outer[i] : initial_state[i];
    }
    messages[lane] = padded(job.data, job.size, job.key ? block_bytes : 0);
  }
  hash(inner, messages);
  if (any_key) {
    std::uint8_t digests[lanes][digest_bytes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      store_digest(digests[lane], state_of(inner, lane), digest_bytes);
      messages[lane] = padded(digests[lane], digest_bytes, block_bytes);
    }
    hash(outer, messages);
  }
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    const Job& job = *jobs[lane];
    store_digest(job.digest, state_of(job.key ? outer : inner, lane), job.digest_size);
  }
}

// Jobs of so many blocks lie in the same bin: each number has its own, where there are many blocks each power of two.
constexpr Word fine_bins = 64, bins = fine_bins + 33;
Word bin_of(const Job& job) {
  const Word blocks = blocks_of(job);
  return blocks < fine_bins ? blocks : fine_bins + static_cast<Word>(std::bit_width(blocks));
}

// Those of similar length side by side; where all are of one bin, they are that already.
std::span<Job* const> sorted(Manager& manager) {
  const std::span<Job*> jobs(manager.jobs, manager.count);
  if (std::ranges::all_of(jobs, [&](const Job* job) { return bin_of(*job) == bin_of(*jobs[0]); })) return jobs;
  std::size_t begin[bins + 1] = {};  // of each bin
  for (const Job* job : jobs) ++begin[bin_of(*job) + 1];
  for (Word bin = 0; bin < bins; ++bin) begin[bin + 1] += begin[bin];
  for (Job* job : jobs) manager.sorted[begin[bin_of(*job)]++] = job;
  return {manager.sorted, jobs.size()};
}

// All that wait.
void work(Manager& manager) {
  const std::span<Job* const> jobs = sorted(manager);
  for (std::size_t i = 0; i < jobs.size(); i += lanes) work_on(jobs.subspan(i, std::min(lanes, jobs.size() - i)));
  manager.next = 0;
  manager.end = std::exchange(manager.count, 0);
}

Job* hand_back(Manager& manager) {
  if (manager.next == manager.end) return nullptr;
  Job* const job = manager.jobs[manager.next++];
  job->status = Status::done;
  return job;
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  manager.jobs[manager.count++] = &job;
  if (manager.count == window) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.end && manager.count != 0) work(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  while (flush(manager)) {
  }
  while (!jobs.empty()) {
    const std::span<Job> some = jobs.first(std::min(portion, jobs.size()));
    for (Job& job : some) {
      if (!refused(job, manager.problem)) manager.jobs[manager.count++] = &job;
    }
    work(manager);
    while (hand_back(manager)) {
    }
    jobs = jobs.subspan(some.size());
  }
}

}  // namespace hmac_sha1
