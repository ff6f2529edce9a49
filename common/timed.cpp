#include "common/timed.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/command_line.hpp"

namespace ladder {

int bench() {
  std::vector<std::pair<const WorkloadEntry*, std::unique_ptr<Workload>>> timed;
  timed.reserve(workloads().size());
  bool all_right = true;
  const auto report = [&](const WorkloadEntry& entry, const std::string& what) {
    if (what.empty()) return;
    all_right = false;
    std::cerr << "wrong: " << entry.name << ": " << what << '\n';
  };
  for (const WorkloadEntry& entry : workloads()) {
    const auto time_calls = [&, workload = static_cast<Workload*>(nullptr)](benchmark::State& state) mutable {
      if (workload == nullptr) {
        workload = timed.emplace_back(&entry, entry.make()).second.get();
        workload->call();
        report(entry, workload->wrong(everywhere));
      }
      if (!all_right) return state.SkipWithError("gives a wrong answer");
      for (auto _ : state) {
        workload->call();
        benchmark::ClobberMemory();
      }
      state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * entry.bytes));
    };
    benchmark::RegisterBenchmark(entry.name.c_str(), time_calls)->UseRealTime();
  }
  if (benchmark::RunSpecifiedBenchmarks() == 0) {
    throw Unusable("No workload matches that filter. `--help` tells what there is.");
  }
  for (const auto& [entry, workload] : timed) report(*entry, workload->wrong(at_samples));
  return all_right ? right : wrong;
}

int run(std::size_t count, Workload& workload) {
  for (std::size_t i = 0; i < count; ++i) workload.call();
  return right;
}

// As many calls to a sample as take a microsecond, for the clock itself takes tens of nanoseconds.
int sample(std::size_t count, Workload& workload) {
  using Clock = std::chrono::steady_clock;
  const auto nanoseconds_for = [&](std::size_t calls) {
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < calls; ++i) workload.call();
    return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
  };
  workload.call();
  std::size_t batch = 1;
  while (nanoseconds_for(batch) < 1000) batch *= 2;
  std::vector<double> samples(count);
  for (double& nanoseconds : samples) nanoseconds = nanoseconds_for(batch) / static_cast<double>(batch);
  if (const std::string what = workload.wrong(at_samples); !what.empty()) {
    std::cerr << "wrong: " << what << '\n';
    return wrong;
  }
  for (const double nanoseconds : samples) std::printf("%.1f\n", nanoseconds);
  return right;
}

}  // namespace ladder
