// Does the feeder of packets do what its policies say? By a clock that only moves when it is read: however slow the
// machine is, the same happens.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "hmac-sha1/apps/packets/packets.hpp"
#include "oracle.hpp"

namespace hmac_sha1::packets {
namespace {

constexpr Time tick{10}, silence{1'000'000}, long_gap{100'000};
constexpr std::size_t packets = 1'100, burst = 20;  // more than there are messages

const Traffic& traffic() {
  static const Traffic mixed(1);
  return mixed;
}

std::vector<Time> bursts(Time gap) {
  std::vector<Time> arrivals(packets);
  for (std::size_t i = 0; i < packets; ++i) arrivals[i] = static_cast<Time::rep>(i / burst) * gap;
  return arrivals;
}

Outcome feed_by_ticks(std::span<const Time> arrivals, Policy policy, Time deadline) {
  const auto clock = [now = Time(0)]() mutable { return now += tick; };
  return feed(traffic(), arrivals, silence, policy, deadline, clock);
}

Time worst(const Outcome& outcome) { return *std::ranges::max_element(outcome.latencies); }

TEST(Packets, DigestsOfTheTrafficAgreeWithTheOracle) {
  for (unsigned mix = 0; mix < 4; ++mix) {
    const Traffic some(mix);
    for (std::size_t i = 0; i < Traffic::messages; i += 37) {
      EXPECT_TRUE(std::ranges::equal(some.digest[i], oracle::hmac(some.key_bytes[i], some.message[i])))
          << "mix " << mix << ", message " << i;
    }
  }
}

// A burst takes two ticks a packet at most: one to submit it, one to flush it.
TEST(Packets, FlushLeavesNothingFromOneBurstToTheNext) {
  const Outcome outcome = feed_by_ticks(bursts(long_gap), Policy::flush, Time(0));
  EXPECT_EQ(outcome.latencies.size(), packets);
  EXPECT_EQ(outcome.left, 0u);
  EXPECT_LE(worst(outcome), (2 * burst + 1) * tick);
}

TEST(Packets, WatchdogWaitsForItsDeadline) {
  const Time deadline = long_gap / 2;
  const Outcome outcome = feed_by_ticks(bursts(long_gap), Policy::watchdog, deadline);
  EXPECT_EQ(outcome.latencies.size(), packets);
  EXPECT_EQ(outcome.left, 0u);
  EXPECT_LE(worst(outcome), deadline + (2 * burst + 2) * tick);
  if (feed_by_ticks(bursts(long_gap), Policy::wait, Time(0)).left != 0) {
    EXPECT_GE(worst(outcome), deadline);
  }
}

TEST(Packets, WatchdogIsOneOfTheOthersAtTheLimits) {
  const std::vector<Time> arrivals = bursts(long_gap);
  const Outcome wait = feed_by_ticks(arrivals, Policy::wait, Time(0));
  const Outcome never = feed_by_ticks(arrivals, Policy::watchdog, 2 * silence);
  EXPECT_EQ(never.latencies, wait.latencies);
  EXPECT_EQ(never.left, wait.left);
  const Outcome at_once = feed_by_ticks(arrivals, Policy::watchdog, Time(0));
  EXPECT_EQ(at_once.latencies, feed_by_ticks(arrivals, Policy::flush, Time(0)).latencies);
}

// How many stay with the manager is the stage's affair; those have waited for the whole silence.
TEST(Packets, WhatIsLeftByWaitingComesWhenTheRunEnds) {
  for (const Time gap : {Time(0), tick, long_gap}) {
    const Outcome outcome = feed_by_ticks(bursts(gap), Policy::wait, Time(0));
    EXPECT_EQ(outcome.latencies.size(), packets);
    const auto starved = std::ranges::count_if(outcome.latencies, [](Time latency) { return latency >= silence; });
    EXPECT_GE(static_cast<std::size_t>(starved), outcome.left);
    EXPECT_GE(*std::ranges::min_element(outcome.latencies), Time(0));
  }
}

TEST(Packets, OnePacketAlone) {
  const std::vector<Time> arrivals{Time(500)};
  const Outcome outcome = feed_by_ticks(arrivals, Policy::flush, Time(0));
  EXPECT_EQ(outcome.latencies.size(), 1u);
  EXPECT_GE(outcome.taken, arrivals[0]);
  EXPECT_LE(worst(outcome), 3 * tick);
}

TEST(Packets, APlanHasItsBurstsAndItsRate) {
  const std::vector<Time> arrivals = plan(100'003, 4, 1e6, 5);
  ASSERT_EQ(arrivals.size(), 100'003u);
  EXPECT_TRUE(std::ranges::is_sorted(arrivals));
  for (std::size_t i = 0; i < arrivals.size(); ++i) EXPECT_EQ(arrivals[i], arrivals[i / 4 * 4]);
  EXPECT_NEAR(static_cast<double>(arrivals.back().count()), 100'003e3, 3e6);
  EXPECT_EQ(arrivals, plan(100'003, 4, 1e6, 5));
  EXPECT_NE(arrivals, plan(100'003, 4, 1e6, 6));
}

TEST(Packets, OfAThousand) {
  std::vector<Time> latencies(2'000);
  for (std::size_t i = 0; i < latencies.size(); ++i) latencies[i] = Time(i * 7 % 2'000 + 1);  // each from 1 to 2,000
  EXPECT_EQ(of_thousand(latencies, 500), Time(1'000));
  EXPECT_EQ(of_thousand(latencies, 999), Time(1'998));
  EXPECT_EQ(of_thousand(latencies, 1'000), Time(2'000));
  std::vector<Time> one{Time(3)};
  for (const unsigned part : {500u, 999u, 1'000u}) EXPECT_EQ(of_thousand(one, part), Time(3));
}

TEST(Packets, BytesOfSoMany) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < packets; ++i) bytes += traffic().message[i % Traffic::messages].size();
  EXPECT_EQ(traffic().bytes_of(packets), bytes);
}

// Its books: what no right stage does is noticed.
TEST(Packets, TheLineNoticesWhatComesTwiceOrWrong) {
  const std::vector<Time> arrivals(3);
  Line line(traffic(), arrivals);
  Job &first = line.take(), &second = line.take();
  EXPECT_EQ(line.inside(), 2u);
  EXPECT_THROW(line.put_back(second, tick), std::logic_error);  // it is not even done
  std::ranges::copy(traffic().digest[0], first.digest);
  first.status = Status::done;
  line.put_back(first, tick);
  EXPECT_EQ(line.inside(), 1u);
  EXPECT_THROW(line.put_back(first, tick), std::logic_error);
  Job& third = line.take();
  std::ranges::copy(traffic().digest[2], third.digest);
  third.digest[0] ^= 1;
  third.status = Status::done;
  EXPECT_THROW(line.put_back(third, tick), std::logic_error);  // it is done, but wrong
}

}  // namespace
}  // namespace hmac_sha1::packets
