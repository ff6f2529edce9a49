// 05 Four messages in the lanes of a vector.
#include <algorithm>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/jobs.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/message.hpp"
#include "hmac-sha1/steps.hpp"

namespace hmac_sha1 {

constexpr std::size_t lanes = 4;

struct Manager {
  Problem problem = Problem::none;
  Job* jobs[lanes];
  std::size_t count = 0;          // the first so many wait for company
  std::size_t next = 0, end = 0;  // from next to end they are finished, and go back one at a time
};

namespace {

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

// Of fewer messages than lanes each is hashed alone, and so is what one has more blocks than another.
void hash(State* states, const Message* messages, std::size_t count) {
  std::size_t common = 0;
  if (count == lanes) {
    common = messages[0].blocks;
    StateOf<Lanes> joined;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      common = std::min(common, messages[lane].blocks);
      for (int i = 0; i < 5; ++i) joined[i][lane] = states[lane][i];
    }
    for (std::size_t b = 0; b < common; ++b) {
      BlockOf<Lanes> w;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const BlockOf<Word> block = load(messages[lane].block(b));
        for (std::size_t i = 0; i < words; ++i) w[i][lane] = block[i];
      }
      compress(joined, std::move(w));
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (int i = 0; i < 5; ++i) states[lane][i] = joined[i][lane];
    }
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    for (std::size_t b = common; b < messages[lane].blocks; ++b) compress(states[lane], load(messages[lane].block(b)));
  }
}

// The first `count` jobs, which are then to be handed back.
void work(Manager& manager) {
  State inner[lanes], outer[lanes];
  Message messages[lanes];
  bool any_key = false;
  for (std::size_t lane = 0; lane < manager.count; ++lane) {
    const Job& job = *manager.jobs[lane];
    any_key |= job.key != nullptr;
    inner[lane] = job.key ? job.key->inner : initial_state;
    outer[lane] = job.key ? job.key->outer : initial_state;
    messages[lane] = padded(job.data, job.size, job.key ? block_bytes : 0);
  }
  hash(inner, messages, manager.count);
  if (any_key) {
    std::uint8_t digests[lanes][digest_bytes];
    for (std::size_t lane = 0; lane < manager.count; ++lane) {
      store_digest(digests[lane], inner[lane], digest_bytes);
      messages[lane] = padded(digests[lane], digest_bytes, block_bytes);
    }
    hash(outer, messages, manager.count);
  }
  for (std::size_t lane = 0; lane < manager.count; ++lane) {
    const Job& job = *manager.jobs[lane];
    store_digest(job.digest, job.key ? outer[lane] : inner[lane], job.digest_size);
  }
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
  if (manager.count == lanes) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.end && manager.count != 0) work(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

}  // namespace hmac_sha1
