// A stage's program: check, bench, run, sample, workloads. Exit codes: 0 right, 1 wrong answer, 2 bad usage,
// 77 the CPU lacks a feature (guard.c).
#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

#include "common/workload.hpp"

namespace ladder {
namespace {

constexpr int right = 0, wrong_answer = 1, bad_usage = 2;

int usage(const std::string& what) {
  std::cerr << what << "\nUse one of:\n"
            << "  check [--gtest_filter=...]                   is the stage right?\n"
            << "  bench [--benchmark_filter=...]               verify, time, verify again\n"
            << "  run COUNT [WORKLOAD]                         the workload COUNT times and nothing else\n"
            << "  sample COUNT [WORKLOAD]                      the time of a call, COUNT times, in nanoseconds\n"
            << "  workloads                                    their names, roles and bytes\n";
  return bad_usage;
}

const char* name_of(Role role) { return role == Role::main ? "main" : role == Role::sweep ? "sweep" : "once"; }

const WorkloadEntry* find_workload(std::string_view name) {
  for (const WorkloadEntry& entry : workloads()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

int check(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) return usage(std::string("check does not know '") + argv[1] + "'.");
  const int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) return usage("No test matches that filter.");
  return failed ? wrong_answer : right;
}

int bench(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 1) return usage(std::string("bench does not know '") + argv[1] + "'.");

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
        report(entry, workload->wrong(Workload::Look::everywhere));
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
  if (benchmark::RunSpecifiedBenchmarks() == 0) return usage("No workload matches that filter.");
  for (const auto& [entry, workload] : timed) report(*entry, workload->wrong(Workload::Look::at_samples));
  return all_right ? right : wrong_answer;
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
  if (const std::string what = workload.wrong(Workload::Look::at_samples); !what.empty()) {
    std::cerr << "wrong: " << what << '\n';
    return wrong_answer;
  }
  for (const double nanoseconds : samples) std::printf("%.1f\n", nanoseconds);
  return right;
}

int list_workloads() {
  for (const WorkloadEntry& entry : workloads()) {
    std::cout << entry.name << '\t' << name_of(entry.role) << '\t' << entry.bytes << '\n';
  }
  return right;
}

int main(int argc, char** argv) {
  const std::string_view verb = argc > 1 ? argv[1] : "";
  if (verb == "check") return check(argc - 1, argv + 1);
  if (verb == "bench") return bench(argc - 1, argv + 1);
  if (verb == "workloads" && argc == 2) return list_workloads();
  if ((verb != "run" && verb != "sample") || argc < 3 || argc > 4) {
    return usage(verb.empty() ? "What shall this program do?" : "'" + std::string(verb) + "' is not that.");
  }

  const std::string_view number = argv[2];
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (error != std::errc() || end != number.data() + number.size() || count == 0) {
    return usage("'" + std::string(number) + "' is no count of 1 or more.");
  }
  const WorkloadEntry* entry = argc == 4 ? find_workload(argv[3]) : &workloads().front();
  if (entry == nullptr) return usage("There is no workload '" + std::string(argv[3]) + "'; `workloads` lists them.");
  const std::unique_ptr<Workload> workload = entry->make();
  return verb == "run" ? run(count, *workload) : sample(count, *workload);
}

}  // namespace
}  // namespace ladder

int main(int argc, char** argv) {
  try {
    return ladder::main(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "wrong: " << error.what() << '\n';
    return ladder::wrong_answer;
  }
}
