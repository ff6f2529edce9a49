// Is the ring right (common/multibuffer/in_order.hpp)? Tests with a manager that does as it is told; for check.cpp of
// each case with a ring.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "common/multibuffer/in_order_members.hpp"

namespace ladder::in_order_check {
namespace {

// No test sets the status: what is there is left from the job that had the place before.
struct Job {
  int number = 0;
  bool valid = true;
  Status status = Status::waiting;
};

// Holds back all valid jobs until it is flushed, which finishes the latest one, or until a test finishes one.
struct Manager {
  std::deque<Job*> held;
  int submitted = 0, flushed = 0;

  void finish(int number) {
    const auto found = std::ranges::find(held, number, &Job::number);
    ASSERT_NE(found, held.end());
    (*found)->status = Status::done;
    held.erase(found);
  }
};

Job* submit(Manager& manager, Job& job) {
  EXPECT_EQ(std::ranges::count(manager.held, &job), 0) << "the place of a job that is under way";
  ++manager.submitted;
  if (!job.valid) {
    job.status = Status::invalid;
    return &job;
  }
  manager.held.push_back(&job);
  return nullptr;
}

Job* flush(Manager& manager) {
  ++manager.flushed;
  if (manager.held.empty()) return nullptr;
  Job* const job = manager.held.back();
  manager.held.pop_back();
  job->status = Status::done;
  return job;
}

template <std::size_t places>
struct RingWithManager {
  Manager manager;
  InOrder<Manager, Job, places> ring{manager};

  Job* submit(int number, bool valid = true) {
    ring.next_job().number = number;
    ring.next_job().valid = valid;
    return ring.submit();
  }
};

// The number of the job that came back; -1 for none.
int number_of(const Job* job) {
  if (job == nullptr) return -1;
  EXPECT_EQ(job->status, job->valid ? Status::done : Status::invalid) << "came back unfinished";
  return job->number;
}
constexpr int none = -1;

TEST(InOrder, CompletedGivesAllThatAreFinishedInTurn) {
  RingWithManager<8> all;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(number_of(all.submit(i)), none);
  all.manager.finish(2);
  all.manager.finish(1);
  EXPECT_EQ(number_of(all.ring.completed()), none) << "the earliest is unfinished";
  all.manager.finish(0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number_of(all.ring.completed()), i);
  EXPECT_EQ(number_of(all.ring.completed()), none);
  EXPECT_EQ(all.ring.under_way(), 1u);
}

TEST(InOrder, CompletedDoesNoWork) {
  RingWithManager<8> all;
  EXPECT_EQ(number_of(all.ring.completed()), none);
  for (int i = 0; i < 3; ++i) all.submit(i);
  EXPECT_EQ(number_of(all.ring.completed()), none);
  all.manager.finish(0);
  EXPECT_EQ(number_of(all.ring.completed()), 0);
  EXPECT_EQ(all.manager.submitted, 3);
  EXPECT_EQ(all.manager.flushed, 0);
}

TEST(InOrder, SubmitGivesTheEarliestIfThatIsFinished) {
  RingWithManager<8> all;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number_of(all.submit(i)), none);
  all.manager.finish(1);
  EXPECT_EQ(number_of(all.submit(3)), none);
  all.manager.finish(0);
  EXPECT_EQ(number_of(all.submit(4)), 0);
  EXPECT_EQ(number_of(all.submit(5)), 1);
  EXPECT_EQ(number_of(all.submit(6)), none);
  EXPECT_EQ(all.manager.flushed, 0) << "there were places left";
}

TEST(InOrder, FlushWorksUntilTheEarliestIsFinishedAndNoLonger) {
  RingWithManager<8> all;
  for (int i = 0; i < 3; ++i) all.submit(i);
  all.manager.finish(1);
  EXPECT_EQ(number_of(all.ring.flush()), 0);
  EXPECT_EQ(all.manager.flushed, 2) << "2 and then 0";
  EXPECT_EQ(number_of(all.ring.flush()), 1);
  EXPECT_EQ(number_of(all.ring.flush()), 2);
  EXPECT_EQ(all.manager.flushed, 2) << "they were finished";
  EXPECT_EQ(number_of(all.ring.flush()), none);
  EXPECT_EQ(all.ring.under_way(), 0u);
}

// Three rounds: each place is used again, and again.
template <std::size_t places>
void expect_full_from_then_on() {
  constexpr int most = int{places} - 1;
  RingWithManager<places> all;
  for (int i = 0; i < most; ++i) EXPECT_EQ(number_of(all.submit(i)), none);
  EXPECT_EQ(all.manager.flushed, 0);
  for (int i = most; i < 3 * int{places}; ++i) {
    ASSERT_EQ(all.ring.under_way(), std::size_t{places} - 1);
    ASSERT_EQ(number_of(all.submit(i)), i - most);
  }
  for (int i = 2 * int{places} + 1; i < 3 * int{places}; ++i) ASSERT_EQ(number_of(all.ring.flush()), i);
  EXPECT_EQ(number_of(all.ring.flush()), none);
}

TEST(InOrder, AFullRingIsNoEmptyOne) {
  expect_full_from_then_on<1>();
  expect_full_from_then_on<2>();
  expect_full_from_then_on<5>();
  expect_full_from_then_on<256>();
}

TEST(InOrder, AFullRingWorksNoMoreThanItMust) {
  RingWithManager<4> all;
  for (int i = 0; i < 3; ++i) all.submit(i);
  all.manager.finish(0);
  EXPECT_EQ(number_of(all.submit(3)), 0);
  EXPECT_EQ(all.manager.flushed, 0) << "the earliest was finished";
}

TEST(InOrder, APlaceOfAFinishedJobHasAnUnfinishedOneAgain) {
  RingWithManager<4> all;
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(number_of(all.submit(i)), none) << "job " << i << " was not worked on";
    EXPECT_EQ(number_of(all.ring.completed()), none);
    EXPECT_EQ(number_of(all.ring.flush()), i);
    EXPECT_EQ(all.manager.flushed, i + 1);
  }
}

TEST(InOrder, AnEmptyRingGivesNoneOfTheJobsBefore) {
  RingWithManager<4> all;
  for (int i = 0; i < 12; ++i) {
    all.submit(i);
    EXPECT_EQ(number_of(all.ring.flush()), i);
    EXPECT_EQ(number_of(all.ring.completed()), none);
    EXPECT_EQ(number_of(all.ring.flush()), none);
    ASSERT_EQ(all.ring.under_way(), 0u);
  }
}

TEST(InOrder, InvalidJobsKeepTheirPlaces) {
  RingWithManager<8> all;
  for (int i = 0; i < 6; ++i) EXPECT_EQ(number_of(all.submit(i, i == 0 || i == 3)), none);
  EXPECT_EQ(number_of(all.ring.completed()), none);
  all.manager.finish(0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(number_of(all.ring.completed()), i);
  EXPECT_EQ(number_of(all.ring.completed()), none);
  for (int i = 3; i < 6; ++i) EXPECT_EQ(number_of(all.ring.flush()), i);
}

TEST(InOrder, AnInvalidJobAloneComesBackAtOnce) {
  RingWithManager<4> all;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(number_of(all.submit(i, false)), i);
  EXPECT_EQ(all.manager.flushed, 0);
}

}  // namespace
}  // namespace ladder::in_order_check
