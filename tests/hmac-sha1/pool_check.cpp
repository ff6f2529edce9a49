// Is the longest wait in the in-order pool counted right? With managers that do as they are told, and with the stage's.
#include <gtest/gtest.h>

#include <vector>

#include "common/bytes.hpp"
#include "hmac-sha1/apps/pool/pool.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct Told {
  int number;
  Status status;
};

// Finishes its jobs when it holds that many, or when it is flushed.
struct Holding {
  std::size_t most;
  std::vector<Told*> held{};
};

void finish(Holding& manager) {
  for (Told* const job : manager.held) job->status = Status::done;
  manager.held.clear();
}

Told* submit(Holding& manager, Told& job) {
  manager.held.push_back(&job);
  if (manager.held.size() == manager.most) finish(manager);
  return nullptr;
}

Told* flush(Holding& manager) {
  Told* const last = manager.held.empty() ? nullptr : manager.held.back();
  finish(manager);
  return last;
}

template <std::size_t places>
std::size_t wait_with(std::size_t most, std::size_t count) {
  Holding manager{most};
  ladder::InOrder<Holding, Told, places> ring(manager);
  return longest_wait(ring, count, [](std::size_t i) { return Told{static_cast<int>(i), Status::waiting}; });
}

TEST(Pool, AJobThatIsFinishedAtOnceDoesNotWait) {
  EXPECT_EQ(wait_with<4>(1, 100), 0u);
  EXPECT_EQ(wait_with<256>(1, 100), 0u);
}

// The first of a group waits for the others. Each submission returns one job, so the last of a group waits as long.
TEST(Pool, AJobWaitsForTheRestOfItsGroup) {
  EXPECT_EQ(wait_with<256>(2, 100), 1u);
  EXPECT_EQ(wait_with<256>(16, 96), 15u);
}

TEST(Pool, NoJobWaitsForMoreThanTheOtherPlaces) {
  EXPECT_EQ(wait_with<4>(16, 96), 3u);
  EXPECT_EQ(wait_with<16>(1'000, 100), 15u);
  EXPECT_EQ(wait_with<256>(1'000, 100), 99u) << "there were no more jobs";
}

// A manager that keeps jobs to itself.
struct Losing {};
Told* submit(Losing&, Told& /*job*/) { return nullptr; }
Told* flush(Losing&) { return nullptr; }

TEST(Pool, AJobThatDoesNotComeBackIsNoticed) {
  Losing manager;
  ladder::InOrder<Losing, Told, 4> ring(manager);
  EXPECT_THROW(longest_wait(ring, 2, [](std::size_t i) { return Told{static_cast<int>(i), Status::waiting}; }),
               std::logic_error);
}

template <std::size_t places>
std::size_t wait_in_stage(std::size_t bytes) {
  const std::vector<std::uint8_t> message(bytes);
  std::array<std::uint8_t, digest_bytes> digest;
  const OwnManager manager(make_manager());
  ladder::InOrder<Manager, Job, places> ring(*manager);
  return longest_wait(ring, 1'000, [&](std::size_t) {
    return Job{message.data(), message.size(), nullptr, digest.data(), digest_bytes, Status::waiting};
  });
}

// A stage that finishes each job at once has no wait with any number of places; another fills two places.
TEST(Pool, MorePlacesNeverShortenTheWaitOfAStage) {
  const std::size_t two = wait_in_stage<2>(64), eight = wait_in_stage<8>(64), many = wait_in_stage<64>(64);
  EXPECT_LE(two, 1u);
  EXPECT_LE(eight, 7u);
  EXPECT_LE(many, 63u);
  EXPECT_LE(two, eight);
  EXPECT_LE(eight, many);
  EXPECT_EQ(two == 0, many == 0);
}

}  // namespace
}  // namespace hmac_sha1
