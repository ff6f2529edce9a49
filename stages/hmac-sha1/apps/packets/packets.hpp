// Packets that arrive in bursts, a manager that works on several at once, and what is done while no packet comes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <vector>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1::packets {

using Time = std::chrono::nanoseconds;  // since the beginning of a run
using Digest = std::array<std::uint8_t, digest_bytes>;

// A manager keeps its last jobs until others come, which may be never: starvation, as the document calls it.
enum class Policy {
  wait,      // does nothing about it
  flush,     // while there is no packet, jobs are flushed one at a time
  watchdog,  // the same, but only once no packet has come for some time
};

// May a job be flushed? No packet is there, and the last one was taken `since_last` ago.
constexpr bool may_flush(Policy policy, Time since_last, Time deadline) {
  switch (policy) {
    case Policy::wait:
      return false;
    case Policy::flush:
      return true;
    case Policy::watchdog:
      return since_last >= deadline;
  }
  return false;
}

// What the packets are: these messages again and again, each with a key of its own.
struct Traffic {
  static constexpr std::size_t messages = 1'024;

  explicit Traffic(unsigned mix);

  std::vector<std::uint8_t> data;
  std::array<std::span<const std::uint8_t>, messages> message;
  std::array<std::array<std::uint8_t, digest_bytes>, messages> key_bytes;
  std::vector<Key> key;
  std::vector<Digest> digest;  // as the stage's `batch` gives it

  std::uint64_t bytes_of(std::size_t packets) const;
};

// When each packet arrives: `burst` of them at once, the gaps drawn from an exponential distribution, `rate` packets
// a second on average. The same for the same seed.
std::vector<Time> plan(std::size_t packets, std::size_t burst, double rate, std::uint64_t seed);

struct Outcome {
  std::vector<Time> latencies;  // from the planned arrival until the job came back, of all packets in any order
  std::size_t left = 0;         // jobs that came back only because the run ended
  Time taken{};                 // when the last packet was
  Time busy{};                  // in the calls of the manager, with the bookkeeping
};

// The packets that are with the manager, and the books about them.
class Line {
 public:
  Line(const Traffic& traffic, std::span<const Time> arrivals) : traffic_(traffic), arrivals_(arrivals) {
    latencies_.reserve(arrivals.size());
  }

  bool all_taken() const { return taken_ == arrivals_.size(); }
  bool has_arrived(Time now) const { return !all_taken() && arrivals_[taken_] <= now; }
  std::size_t inside() const { return taken_ - latencies_.size(); }

  Job& take() {
    if (free_.empty()) free_.push_back(&packets_.emplace_back());
    Packet& packet = *free_.back();
    free_.pop_back();
    packet.number = taken_++;
    packet.with_manager = true;
    const std::size_t i = packet.number % Traffic::messages;
    const auto message = traffic_.message[i];
    static_cast<Job&>(packet) = {message.data(),       message.size(), &traffic_.key[i],
                                 packet.digest.data(), digest_bytes,   Status::waiting};
    return packet;
  }

  // Throws std::logic_error unless the job was with the manager, and is done right.
  void put_back(Job& job, Time now) {
    Packet& packet = static_cast<Packet&>(job);
    if (!packet.with_manager) throw std::logic_error("A packet came back twice.");
    packet.with_manager = false;
    if (packet.status != Status::done || packet.digest != traffic_.digest[packet.number % Traffic::messages]) {
      throw std::logic_error("A packet came back with a wrong digest.");
    }
    latencies_.push_back(now - arrivals_[packet.number]);
    free_.push_back(&packet);
  }

  std::vector<Time> latencies() && { return std::move(latencies_); }

 private:
  struct Packet : Job {
    std::size_t number;
    bool with_manager;
    Digest digest;
  };

  const Traffic& traffic_;
  std::span<const Time> arrivals_;
  std::size_t taken_ = 0;
  std::vector<Time> latencies_;
  std::deque<Packet> packets_;  // which never move; there are only as many as the manager once had at a time
  std::vector<Packet*> free_;
};

// One thread takes what has arrived. After the last packet there is silence for some time, then the run ends and
// everything is flushed. `clock` gives the time since the beginning of the run.
template <class Clock>
Outcome feed(const Traffic& traffic, std::span<const Time> arrivals, Time silence, Policy policy, Time deadline,
             Clock clock) {
  const OwnManager manager(make_manager());
  Line line(traffic, arrivals);
  Outcome outcome;
  Time now = clock();

  const auto call = [&](auto&& function) {
    const Time before = now;
    Job* const job = function();
    now = clock();
    outcome.busy += now - before;
    if (job) line.put_back(*job, now);
    return job != nullptr;
  };
  const auto flush_one = [&] {
    if (!call([&] { return flush(*manager); })) throw std::logic_error("A packet never came back.");
  };

  while (!line.all_taken() || (line.inside() != 0 && now < arrivals.back() + silence)) {
    if (line.has_arrived(now)) {
      call([&] { return submit(*manager, line.take()); });
      outcome.taken = now;
    } else if (line.inside() != 0 && may_flush(policy, now - outcome.taken, deadline)) {
      flush_one();
    } else {
      now = clock();
    }
  }
  outcome.left = line.inside();
  while (line.inside() != 0) flush_one();
  outcome.latencies = std::move(line).latencies();
  return outcome;
}

// The same by the clock on the wall.
Outcome feed(const Traffic& traffic, std::span<const Time> arrivals, Time silence, Policy policy, Time deadline);

// Packets a second, if there is always one to be taken: the best of some runs.
double capacity(const Traffic& traffic);

// The smallest latency that at least `packets` of a thousand do not exceed; reorders them.
Time of_thousand(std::span<Time> latencies, unsigned packets);

}  // namespace hmac_sha1::packets
