#include "hmac-sha1/apps/packets/packets.hpp"

#include <algorithm>
#include <cmath>

#include "common/bytes.hpp"
#include "common/multibuffer/mixes.hpp"

namespace hmac_sha1::packets {

using ladder::Generator;

Traffic::Traffic(unsigned mix) : key(messages), digest(messages) {
  const std::vector<std::size_t> sizes = ladder::mix(mix, messages, block_bytes, 1);
  std::size_t end = 0;
  for (const std::size_t size : sizes) end += size;
  data.resize(end);
  Generator generator(mix);
  generator.fill(data);

  std::vector<Job> jobs;
  const std::uint8_t* begin = data.data();
  for (std::size_t i = 0; i < messages; ++i) {
    message[i] = {begin, sizes[i]};
    begin += sizes[i];
    generator.fill(key_bytes[i]);
    prepare(key[i], key_bytes[i]);
    jobs.push_back({message[i].data(), sizes[i], &key[i], digest[i].data(), digest_bytes, Status::waiting});
  }
  const OwnManager manager(make_manager());
  batch(*manager, jobs);
}

std::uint64_t Traffic::bytes_of(std::size_t packets) const {
  std::uint64_t bytes = packets / messages * data.size();
  for (std::size_t i = 0; i < packets % messages; ++i) bytes += message[i].size();
  return bytes;
}

std::vector<Time> plan(std::size_t packets, std::size_t burst, double rate, std::uint64_t seed) {
  Generator generator(seed);
  const double mean_gap = 1e9 * static_cast<double>(burst) / rate;  // in nanoseconds
  double now = 0;
  std::vector<Time> arrivals(packets);
  for (std::size_t i = 0; i < packets; ++i) {
    if (i % burst == 0) {
      const double part = static_cast<double>(generator() >> 11) * 0x1p-53;  // from 0 to below 1
      now -= mean_gap * std::log1p(-part);
    }
    arrivals[i] = Time(static_cast<Time::rep>(now));
  }
  return arrivals;
}

Outcome feed(const Traffic& traffic, std::span<const Time> arrivals, Time silence, Policy policy, Time deadline) {
  const auto begin = std::chrono::steady_clock::now();
  return feed(traffic, arrivals, silence, policy, deadline,
              [begin] { return std::chrono::duration_cast<Time>(std::chrono::steady_clock::now() - begin); });
}

double capacity(const Traffic& traffic) {
  const std::vector<Time> all_at_once(8 * Traffic::messages);
  double best = 0;
  for (Time spent{}; spent < std::chrono::milliseconds(100);) {
    const Outcome outcome = feed(traffic, all_at_once, Time(0), Policy::wait, Time(0));
    spent += outcome.busy;
    best = std::max(best, 1e9 * static_cast<double>(all_at_once.size()) / static_cast<double>(outcome.taken.count()));
  }
  return best;
}

Time of_thousand(std::span<Time> latencies, unsigned packets) {
  const auto wanted = latencies.begin() + static_cast<std::ptrdiff_t>((latencies.size() * packets + 999) / 1'000 - 1);
  std::ranges::nth_element(latencies, wanted);
  return *wanted;
}

}  // namespace hmac_sha1::packets
