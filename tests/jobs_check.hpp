// Jobs given to a manager or to a ring, and whether all come back as they should; for check.cpp of each case with
// managers. A case has a struct `Whole` there: a `job` with all that belongs to it, and whether it is `valid`.
// `expect_finished()` checks the status of the job and all that it may have written, and `is_right()` the result alone.
// `again()` restores the job as it was before the call. `spoil(fault)` makes a valid job invalid.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/multibuffer/in_order.hpp"
#include "common/multibuffer/jobs.hpp"
#include "tests/threads.hpp"

namespace ladder::jobs_check {

// A way in which a job can be invalid.
template <class Job>
struct Fault {
  void (*spoil)(Job&);
  Problem problem;
};

// The manager's own functions; the members of Ledger hide their names.
template <class Manager, class Job>
Job* hand_over(Manager& manager, Job& job) {
  return submit(manager, job);
}
template <class Manager>
auto* work_on(Manager& manager) {
  return flush(manager);
}

// Jobs through submit and flush; a job that comes back twice, never, unfinished, or was never submitted fails.
template <class Manager, class Whole>
class Ledger {
 public:
  explicit Ledger(Manager& manager) : manager_(manager) {}

  void submit(Whole& one) {
    one.job.status = Status::waiting;
    out_[&one.job] = &one;
    take(hand_over(manager_, one.job));
    EXPECT_EQ(one.job.status == Status::waiting, out_.contains(&one.job)) << "done or invalid once it is handed back";
    EXPECT_TRUE(one.valid || !out_.contains(&one.job)) << "an invalid job comes back at once";
  }
  void flush_one() {
    const auto* const job = work_on(manager_);
    EXPECT_EQ(job == nullptr, out_.empty()) << "flush hands back nothing only if the manager is empty";
    take(job);
  }
  void flush() {
    const std::size_t most = out_.size();
    for (std::size_t i = 0; i <= most && !out_.empty(); ++i) flush_one();
    EXPECT_TRUE(out_.empty()) << out_.size() << " jobs did not come back";
    EXPECT_EQ(work_on(manager_), nullptr);
  }
  // A job says that it is finished when it comes back, and no sooner: the ring believes it.
  void expect_the_others_waiting() const {
    for (const auto& [job, one] : out_) EXPECT_EQ(one->job.status, Status::waiting);
  }

 private:
  void take(const void* job) {
    if (job == nullptr) return;
    const auto found = out_.find(job);
    ASSERT_NE(found, out_.end()) << "came back without having been submitted, or twice";
    found->second->expect_finished();
    out_.erase(found);
  }

  Manager& manager_;
  std::map<const void*, const Whole*> out_;  // by the address of the job
};

// What a manager may not change: the status is the last of six members.
auto but_for_status(const auto& job) {
  const auto& [a, b, c, d, e, status] = job;
  return std::tuple(a, b, c, d, e);
}

template <class Ring>
constexpr std::size_t most_under_way = 0;
template <class Manager, class Job, std::size_t places>
constexpr std::size_t most_under_way<InOrder<Manager, Job, places>> = places - 1;

// Jobs through a ring; one that comes back out of turn, changed, unfinished or not at all fails.
template <class Ring, class Whole>
class OrderedLedger {
 public:
  static constexpr std::size_t most = most_under_way<Ring>;

  explicit OrderedLedger(auto& manager) : ring_(manager) {}

  // Whether a job came back; so do the others.
  bool submit(Whole& one) {
    one.job.status = Status::done;  // as it may be in a place that has been used
    ring_.next_job() = one.job;
    out_.push_back(&one);
    return take(ring_.submit());
  }
  bool completed() { return take(ring_.completed()); }
  bool flush_one() {
    const bool empty = out_.empty();
    const bool came = take(ring_.flush());
    EXPECT_EQ(came, !empty) << "flush hands back nothing only if the ring is empty";
    return came;
  }
  void flush() {
    while (!out_.empty() && flush_one()) {
    }
    EXPECT_TRUE(out_.empty()) << out_.size() << " jobs did not come back";
    EXPECT_FALSE(flush_one());
    for (const Whole* one : std::exchange(back_, {})) one->expect_finished();  // and were not touched again
  }
  std::size_t under_way() const { return ring_.under_way(); }

 private:
  bool take(const auto* job) {
    const bool came = job != nullptr && !out_.empty();
    EXPECT_EQ(came, job != nullptr) << "came back without having been submitted, or twice";
    if (came) {
      Whole& one = *out_.front();
      out_.pop_front();
      EXPECT_TRUE(but_for_status(*job) == but_for_status(one.job)) << "not the earliest, or not as it was submitted";
      one.job.status = job->status;
      one.expect_finished();
      back_.push_back(&one);
    }
    EXPECT_EQ(ring_.under_way(), out_.size());
    EXPECT_LE(ring_.under_way(), most);
    return came;
  }

  Ring ring_;
  std::deque<Whole*> out_;          // under way, the earliest first
  std::vector<const Whole*> back_;  // since the last flush
};

enum class By { batch, jobs };

// The manager is empty before and afterwards.
template <class Manager, class Job>
void do_all(Manager& manager, std::span<Job> jobs, By by) {
  if (by == By::batch) return batch(manager, jobs);
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

template <class Manager, class Whole>
void do_in_batch(Manager& manager, std::deque<Whole>& all) {
  std::vector<decltype(Whole::job)> jobs;
  for (const Whole& one : all) {
    jobs.push_back(one.job);
    jobs.back().status = Status::waiting;
  }
  batch(manager, jobs);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(but_for_status(jobs[i]) == but_for_status(all[i].job)) << "the batch changed job " << i;
    all[i].job.status = jobs[i].status;
    all[i].expect_finished();
  }
}
template <class Manager, class Whole>
void do_one_by_one(Manager& manager, std::deque<Whole>& all) {
  Ledger<Manager, Whole> ledger(manager);
  for (Whole& one : all) ledger.submit(one);
  ledger.flush();
  for (const Whole& one : all) one.expect_finished();
}

// A batch while others are with the manager: all are back when it returns.
template <class Manager, class Whole>
void do_in_batch_behind(std::deque<Whole>& submitted, Manager& manager, std::deque<Whole>& all) {
  for (Whole& one : submitted) hand_over(manager, one.job);
  do_in_batch(manager, all);
  for (const Whole& one : submitted) one.expect_finished();
  EXPECT_EQ(work_on(manager), nullptr) << "a batch leaves a job with the manager";
}

// Invalid jobs at both ends of a batch, and where one of 1,024 ends that a stage may make of it; and none but invalid
// ones.
void check_invalid_anywhere_in_a_batch(auto& manager, const auto& faults, auto& all, auto&& another) {
  const auto check = [&](auto&& is_invalid) {
    all.clear();
    auto last = problem(manager);
    for (std::size_t i = 0; i < 2'100; ++i) {
      auto& one = another();
      if (!is_invalid(i)) continue;
      const auto& fault = faults[i % std::size(faults)];
      one.spoil(fault);
      last = fault.problem;
    }
    do_in_batch(manager, all);
    EXPECT_EQ(problem(manager), last);
  };
  for (const std::size_t place : {0, 1'023, 1'024, 2'099}) check([=](std::size_t i) { return i == place; });
  check([](std::size_t i) { return i % 1'023 <= 1; });
  check([](std::size_t) { return true; });
}

// Jobs that wait are finished also where every job of the batch is invalid. `make()` gives a pointer to a manager,
// `wait(submitted, i)` adds a valid job, and `another(all)` a short one.
template <class Whole>
void check_invalid_ones_finish_what_waits(auto&& make, const auto& faults, auto&& wait, auto&& another) {
  for (const std::size_t count : {1, 3, 1'100}) {
    const auto manager = make();
    std::deque<Whole> submitted, all;
    for (std::size_t i = 0; i < 20; ++i) wait(submitted, i);
    for (std::size_t i = 0; i < count; ++i) another(all).spoil(faults[i % std::size(faults)]);
    do_in_batch_behind(submitted, *manager, all);
  }
}

// Behind a job that is held back there are invalid ones, which no manager holds, until no place is left. Here and below
// `another()` gives another short and valid job.
void check_full_ring(auto& ledger, const auto& faults, auto&& another) {
  for (int round = 0; round < 3; ++round) {
    if (ledger.submit(another())) GTEST_SKIP() << "this manager holds nothing back: its ring is never full";
    for (std::size_t i = 1; i <= ledger.most; ++i) {
      ASSERT_EQ(ledger.under_way(), i);
      auto& one = another();
      one.spoil(faults[i % std::size(faults)]);
      EXPECT_EQ(ledger.submit(one), i == ledger.most) << "the full ring, and no other, waits for its earliest job";
    }
    ASSERT_EQ(ledger.under_way(), ledger.most);
    for (std::size_t i = 0; i < ledger.most; ++i) ASSERT_TRUE(ledger.completed());
    EXPECT_FALSE(ledger.flush_one());
  }
}

// A valid one now and then: when it comes there is no place left.
void check_that_a_full_ring_goes_on(auto& ledger, const auto& faults, auto&& another) {
  if (ledger.submit(another())) GTEST_SKIP() << "this manager holds nothing back: its ring is never full";
  std::size_t most = 0;
  for (std::size_t i = 1; i < 1'000; ++i) {
    auto& one = another();
    if (i % 300 != 0) one.spoil(faults[i % std::size(faults)]);
    ledger.submit(one);
    most = std::max(most, ledger.under_way());
  }
  ledger.flush();
  EXPECT_EQ(most, ledger.most);
}

void check_that_completed_does_no_work(auto& ledger, auto&& another) {
  EXPECT_FALSE(ledger.completed());
  for (int i = 0; i < 300; ++i) {
    if (!ledger.submit(another())) {
      EXPECT_FALSE(ledger.completed()) << "since submit gave none, nothing was to be worked on";
    }
  }
  ledger.flush();
}

// Invalid ones, which are finished at once, behind one that may be held back.
void check_that_completed_gives_all(auto& ledger, const auto& faults, auto&& another) {
  for (const auto& fault : faults) {
    for (int i = 0; i < 6; ++i) {
      auto& one = another();
      if (i != 0) one.spoil(fault);
      ledger.submit(one);
    }
    if (ledger.under_way() == 6) ledger.flush_one();
    while (ledger.under_way() != 0) ASSERT_TRUE(ledger.completed());
  }
}

// A manager for each thread, which works on jobs of its own: one by one and as a batch, by turns, `calls` times.
// `make()` gives a pointer to one.
void check_one_for_each_thread(auto& jobs_of_threads, std::size_t calls, auto&& make) {
  expect_right_in_threads(calls, [&](std::size_t thread) {
    return [&jobs = jobs_of_threads[thread], manager = make(), in_batch = thread % 2 == 1]() mutable {
      for (auto& one : jobs) one.again();
      if (in_batch) {
        do_in_batch(*manager, jobs);
      } else {
        for (auto& one : jobs) submit(*manager, one.job);
        while (flush(*manager)) {
        }
      }
      in_batch = !in_batch;
      const auto wrong = std::ranges::count_if(jobs, [](const auto& one) { return !one.is_right(); });
      if (wrong == 0) return testing::AssertionSuccess();
      return testing::AssertionFailure() << wrong << " wrong results";
    };
  });
  for (const auto& jobs : jobs_of_threads) {
    for (const auto& one : jobs) one.expect_done();
  }
}

}  // namespace ladder::jobs_check
