// Calls that threads make at once, each with what is its own; for check.cpp of each case.
#pragma once

#include <gtest/gtest.h>

#include <latch>
#include <thread>
#include <vector>

namespace ladder {

constexpr std::size_t threads = 4;

// `make(thread)` returns a function that says whether its results were right. The thread calls it `calls` times, or
// until it fails. All threads begin together and do little between calls, so what they share is nearly always in use.
// Let the calls take long enough that the threads of a busy machine take turns.
void expect_right_in_threads(std::size_t calls, auto&& make) {
  std::vector<testing::AssertionResult> results(threads, testing::AssertionSuccess());
  std::latch ready(threads);
  std::vector<std::thread> running;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&, thread] {
      auto call = make(thread);
      ready.arrive_and_wait();
      for (std::size_t i = 0; i < calls; ++i) {
        const testing::AssertionResult right = call();
        if (right) continue;
        results[thread] = right;
        return;
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  for (const testing::AssertionResult& result : results) EXPECT_TRUE(result);
}

}  // namespace ladder
