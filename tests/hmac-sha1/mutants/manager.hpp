// A manager of four lanes done right, in parts: a mutant overrides the part that it gets wrong.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Lane {
  Job* job = nullptr;  // null: none
  enum { body, tail, outer, finished } part = body;
  const std::uint8_t* next = nullptr;
  std::size_t left = 0;  // blocks of this part
  State state{};
  std::uint8_t bytes[2 * block_bytes] = {};  // where a part stands that is not in the message
};

struct Manager {
  static constexpr std::size_t lanes = 4;

  Problem problem = Problem::none;
  Lane lane[lanes];

  virtual ~Manager() = default;

  std::size_t busy() const {
    return static_cast<std::size_t>(std::ranges::count_if(lane, [](const Lane& one) { return one.job != nullptr; }));
  }

  virtual void compress(State& state, const std::uint8_t* block) { steps(state, block, 80); }

  using Schedule = void (*)(std::uint32_t (&w)[80]);  // makes words 16 to 79
  static void right_schedule(std::uint32_t (&w)[80]) {
    for (int t = 16; t < 80; ++t) w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  }
  using Function = std::uint32_t (*)(std::uint32_t b, std::uint32_t c, std::uint32_t d);  // of the third quarter
  static std::uint32_t majority(std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    return (b & c) | (b & d) | (c & d);
  }

  [[gnu::noinline]] static void steps(State& state, const std::uint8_t* block, int count,
                                      Schedule schedule = right_schedule, Function third = majority) {
    constexpr std::uint32_t constants[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
    std::uint32_t w[80];
    for (int t = 0; t < 16; ++t) {
      w[t] = 0;
      for (int i = 0; i < 4; ++i) w[t] = w[t] << 8 | block[4 * t + i];
    }
    schedule(w);
    State x = state;
    for (int t = 0; t < count; ++t) {
      const auto [a, b, c, d, e] = x;
      const std::uint32_t f = t < 20 ? (b & c) | (~b & d) : t / 20 == 2 ? third(b, c, d) : b ^ c ^ d;
      x = {std::rotl(a, 5) + f + e + constants[t / 20] + w[t], a, std::rotl(b, 30), c, d};
    }
    for (int i = 0; i < 5; ++i) state[i] += x[i];
  }

  static void store(const State& state, std::uint8_t* digest, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - i % 4 * 8));
  }

  State after_pad(const Key& key, std::uint8_t pad) {
    std::uint8_t block[block_bytes];
    for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
    State state = initial_state;
    compress(state, block);
    return state;
  }

  virtual void set_up(Key& key, std::span<const std::uint8_t> bytes) {
    key = {};
    if (bytes.size() > block_bytes) {
      Job job{bytes.data(), bytes.size(), nullptr, key.padded.data(), digest_bytes, Status::waiting};
      begin(lane[0], job);
      work();
    } else {
      std::copy(bytes.begin(), bytes.end(), key.padded.begin());
    }
    key.inner = after_pad(key, 0x36);
    key.outer = after_pad(key, 0x5C);
  }

  virtual bool refused(Job& job) {
    const Problem found = problem_of(job);
    if (found == Problem::none) return false;
    problem = found;
    job.status = Status::invalid;
    return true;
  }

  virtual void begin(Lane& to, Job& job) {
    to.job = &job;
    to.part = Lane::body;
    to.next = job.data;
    to.left = job.size / block_bytes;
    to.state = job.key ? job.key->inner : initial_state;
  }

  // The lane's next part is the end of a message of `size` bytes, which `before` bytes have been hashed before.
  virtual void pad(Lane& of, const std::uint8_t* data, std::size_t size, std::size_t before) {
    const std::size_t rest = size % block_bytes;
    std::memset(of.bytes, 0, sizeof of.bytes);
    if (rest != 0) std::memcpy(of.bytes, data + size - rest, rest);
    of.bytes[rest] = 0x80;
    of.next = of.bytes;
    of.left = (rest + 8) / block_bytes + 1;
    std::uint8_t* const end = of.bytes + block_bytes * of.left;
    for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
  }

  virtual void next_part(Lane& of) {
    const Job& job = *of.job;
    if (of.part == Lane::body) {
      pad(of, job.data, job.size, job.key ? block_bytes : 0);
      of.part = Lane::tail;
    } else if (of.part == Lane::tail && job.key) {
      std::uint8_t inner[digest_bytes];
      store(of.state, inner, digest_bytes);
      pad(of, inner, digest_bytes, block_bytes);
      of.state = job.key->outer;
      of.part = Lane::outer;
    } else {
      of.part = Lane::finished;
    }
  }

  virtual void finish(Lane& of) {
    store(of.state, of.job->digest, of.job->digest_size);
    of.job->status = Status::done;
  }

  // Works until a job is finished.
  Job* work() {
    for (;;) {
      std::size_t least = SIZE_MAX;
      for (const Lane& one : lane) {
        if (one.job) least = std::min(least, one.left);
      }
      for (Lane& one : lane) {
        if (!one.job) continue;
        for (std::size_t i = 0; i < least; ++i, one.next += block_bytes) compress(one.state, one.next);
        one.left -= least;
      }
      for (Lane& one : lane) {
        if (!one.job) continue;
        while (one.left == 0 && one.part != Lane::finished) next_part(one);
        if (one.part != Lane::finished) continue;
        finish(one);
        return std::exchange(one.job, nullptr);
      }
    }
  }

  virtual Job* take(Job& job) {
    if (refused(job)) return &job;
    begin(*std::ranges::find_if(lane, [](const Lane& one) { return one.job == nullptr; }), job);
    return busy() == lanes ? work() : nullptr;
  }

  virtual Job* give_back() { return busy() == 0 ? nullptr : work(); }

  virtual void do_all(std::span<Job> jobs) {
    for (Job& job : jobs) take(job);
    while (give_back()) {
    }
  }
};

void prepare(Key& key, std::span<const std::uint8_t> bytes) { OwnManager(make_manager())->set_up(key, bytes); }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }
Job* submit(Manager& manager, Job& job) { return manager.take(job); }
Job* flush(Manager& manager) { return manager.give_back(); }
void batch(Manager& manager, std::span<Job> jobs) { manager.do_all(jobs); }

}  // namespace hmac_sha1
