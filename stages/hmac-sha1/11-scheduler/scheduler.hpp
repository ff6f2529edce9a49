// Out-of-order scheduler: a lane whose job is finished takes the next job at once.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/01-pads/message.hpp"
#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// `Load` makes the words of a block of each lane, from the place of each. `Lanes` is a vector.
template <class Lanes, class Load>
class Scheduler : public ladder::ManagerBase {
 public:
  Job* submit(Job& job) {
    if (refused(job)) return &job;
    std::size_t i = 0;
    while (lane_[i].job) ++i;
    lane_[i].job = &job;
    lane_[i].part = Lane::body;
    lane_[i].next = job.data;
    lane_[i].left = job.size / block_bytes;
    set_state(i, job.key ? job.key->inner : initial_state);
    return ++busy_ == lanes ? work() : nullptr;
  }

  Job* flush() { return busy_ == 0 ? nullptr : work(); }

  void batch(std::span<Job> jobs) { ladder::submit_and_flush(*this, jobs); }

 private:
  static constexpr std::size_t lanes = sizeof(Lanes) / sizeof(Word);

  // A lane hashes the whole blocks of a message, then its end with the padding, then the outer hash.
  struct Lane {
    Job* job = nullptr;  // null: none
    enum { body, tail, outer, finished } part = finished;
    const std::uint8_t* next = nullptr;
    std::size_t left = 0;                 // blocks of this part
    std::uint8_t bytes[2 * block_bytes];  // of a part that is not in the message
  };

  void set_state(std::size_t lane, const State& state) {
    for (int i = 0; i < 5; ++i) state_[i][lane] = state[i];
  }

  State state_of(std::size_t lane) const {
    State state;
    for (int i = 0; i < 5; ++i) state[i] = state_[i][lane];
    return state;
  }

  // The lane's next part is the end of a message of `size` bytes. `before` bytes have been hashed already.
  static void pad(Lane& lane, const std::uint8_t* data, std::size_t size, std::size_t before) {
    const std::size_t rest = size % block_bytes;
    std::memset(lane.bytes, 0, sizeof lane.bytes);  // another job was here
    if (rest != 0) std::memcpy(lane.bytes, data + size - rest, rest);
    lane.bytes[rest] = 0x80;
    lane.next = lane.bytes;
    lane.left = (rest + 8) / block_bytes + 1;
    std::uint8_t* const end = lane.bytes + block_bytes * lane.left;
    for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
  }

  void next_part(std::size_t i) {
    Lane& lane = lane_[i];
    const Job& job = *lane.job;
    if (lane.part == Lane::body) {
      pad(lane, job.data, job.size, job.key ? block_bytes : 0);
      lane.part = Lane::tail;
    } else if (lane.part == Lane::tail && job.key) {
      std::uint8_t inner[digest_bytes];
      store_digest(inner, state_of(i), digest_bytes);
      pad(lane, inner, digest_bytes, block_bytes);
      set_state(i, job.key->outer);
      lane.part = Lane::outer;
    } else {
      lane.part = Lane::finished;
    }
  }

  // Hashes the next blocks of every lane. A lane without a job repeats those of a busy one; its `left` is not used.
  void hash(std::size_t blocks) {
    const auto* const busy = std::ranges::find_if(lane_, [](const Lane& lane) { return lane.job != nullptr; });
    const std::uint8_t* at[lanes];
    for (std::size_t i = 0; i < lanes; ++i) at[i] = lane_[i].job ? lane_[i].next : busy->next;
    for (std::size_t i = 0; i < lanes; ++i) {
      lane_[i].left -= blocks;
      lane_[i].next = at[i] + block_bytes * blocks;
    }
    for (; blocks != 0; --blocks) {
      compress(state_, Load{}(at));
      for (const std::uint8_t*& place : at) place += block_bytes;
    }
  }

  // Works until a job is finished.
  Job* work() {
    for (;;) {
      std::size_t shortest = SIZE_MAX;
      for (const Lane& lane : lane_) {
        if (lane.job) shortest = std::min(shortest, lane.left);
      }
      hash(shortest);
      for (std::size_t i = 0; i < lanes; ++i) {
        Lane& lane = lane_[i];
        if (!lane.job) continue;
        while (lane.left == 0 && lane.part != Lane::finished) next_part(i);
        if (lane.part != Lane::finished) continue;
        Job* const job = std::exchange(lane.job, nullptr);
        store_digest(job->digest, state_of(i), job->digest_size);
        job->status = Status::done;
        --busy_;
        return job;
      }
    }
  }

  Lane lane_[lanes];
  StateOf<Lanes> state_{};
  std::size_t busy_ = 0;  // lanes
};

}  // namespace hmac_sha1
