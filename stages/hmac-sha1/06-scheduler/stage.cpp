// 06 A scheduler: the lanes go on until one of them has come to an end, which then takes the next job.
// variants: no-steps
#include <algorithm>
#include <cstring>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/jobs.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/steps.hpp"

namespace hmac_sha1 {
namespace {

constexpr std::size_t lanes = 4;

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

// What one lane is busy with: the whole blocks of a message, then its end with the padding, then the outer hash.
struct Lane {
  Job* job = nullptr;  // null: none
  enum { body, tail, outer, finished } part = finished;
  const std::uint8_t* next = nullptr;
  std::size_t left = 0;                 // blocks of this part
  std::uint8_t bytes[2 * block_bytes];  // where a part stands that is not in the message
};

}  // namespace

struct Manager {
  Problem problem = Problem::none;
  Lane lane[lanes];
  StateOf<Lanes> state{};
  std::size_t busy = 0;  // lanes
};

namespace {

void set_state(Manager& manager, std::size_t lane, const State& state) {
  for (int i = 0; i < 5; ++i) manager.state[i][lane] = state[i];
}

State state_of(const Manager& manager, std::size_t lane) {
  State state;
  for (int i = 0; i < 5; ++i) state[i] = manager.state[i][lane];
  return state;
}

// The lane's next part is the end of a message of `size` bytes, which `before` bytes have been hashed before.
void pad(Lane& lane, const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::size_t rest = size % block_bytes;
  std::memset(lane.bytes, 0, sizeof lane.bytes);  // another job was here
  if (rest != 0) std::memcpy(lane.bytes, data + size - rest, rest);
  lane.bytes[rest] = 0x80;
  lane.next = lane.bytes;
  lane.left = (rest + 8) / block_bytes + 1;
  std::uint8_t* const end = lane.bytes + block_bytes * lane.left;
  for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
}

void next_part(Manager& manager, std::size_t i) {
  Lane& lane = manager.lane[i];
  const Job& job = *lane.job;
  if (lane.part == Lane::body) {
    pad(lane, job.data, job.size, job.key ? block_bytes : 0);
    lane.part = Lane::tail;
  } else if (lane.part == Lane::tail && job.key) {
    std::uint8_t inner[digest_bytes];
    store_digest(inner, state_of(manager, i), digest_bytes);
    pad(lane, inner, digest_bytes, block_bytes);
    set_state(manager, i, job.key->outer);
    lane.part = Lane::outer;
  } else {
    lane.part = Lane::finished;
  }
}

// So many blocks of every lane; one without a job follows one that has.
void hash(Manager& manager, std::size_t blocks) {
  const auto* const busy = std::ranges::find_if(manager.lane, [](const Lane& lane) { return lane.job != nullptr; });
  for (Lane& lane : manager.lane) {
    if (!lane.job) lane.next = busy->next;
    lane.left -= blocks;
  }
  for (; blocks != 0; --blocks) {
    BlockOf<Lanes> w;
    for (std::size_t i = 0; i < lanes; ++i) {
      const BlockOf<Word> block = load(manager.lane[i].next);
      for (std::size_t t = 0; t < words; ++t) w[t][i] = block[t];
      manager.lane[i].next += block_bytes;
    }
    compress(manager.state, std::move(w));
  }
}

// Works until a job is finished.
Job* work(Manager& manager) {
  for (;;) {
    std::size_t least = SIZE_MAX;
    for (const Lane& lane : manager.lane) {
      if (lane.job) least = std::min(least, lane.left);
    }
    hash(manager, least);
    for (std::size_t i = 0; i < lanes; ++i) {
      Lane& lane = manager.lane[i];
      if (!lane.job) continue;
      while (lane.left == 0 && lane.part != Lane::finished) next_part(manager, i);
      if (lane.part != Lane::finished) continue;
      Job* const job = std::exchange(lane.job, nullptr);
      store_digest(job->digest, state_of(manager, i), job->digest_size);
      job->status = Status::done;
      --manager.busy;
      return job;
    }
  }
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  std::size_t i = 0;
  while (manager.lane[i].job) ++i;
  manager.lane[i].job = &job;
  manager.lane[i].part = Lane::body;
  manager.lane[i].next = job.data;
  manager.lane[i].left = job.size / block_bytes;
  set_state(manager, i, job.key ? job.key->inner : initial_state);
  return ++manager.busy == lanes ? work(manager) : nullptr;
}

Job* flush(Manager& manager) { return manager.busy == 0 ? nullptr : work(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

}  // namespace hmac_sha1
