// A stage's program: check, bench, run, sample, serve, workloads. Exit codes: 0 right, 1 wrong answer, 2 bad input,
// 77 the CPU lacks a feature (guard.c).
#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string_view>

#include "common/command_line.hpp"
#include "common/serve.hpp"
#include "common/workload.hpp"

namespace ladder {
namespace {

int misused(const std::string& what) {
  std::cerr << what << " `--help` tells what there is.\n";
  return bad_input;
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
  if (argc > 1) return misused(std::string("check does not know '") + argv[1] + "'.");
  const int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) return misused("No test matches that filter.");
  return failed ? wrong : right;
}

int bench(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 1) return misused(std::string("bench does not know '") + argv[1] + "'.");

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
  if (benchmark::RunSpecifiedBenchmarks() == 0) return misused("No workload matches that filter.");
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

int list_workloads() {
  for (const WorkloadEntry& entry : workloads()) {
    std::cout << entry.name << '\t' << name_of(entry.role) << '\t' << entry.bytes << '\n';
  }
  return right;
}

int main(int argc, char** argv) {
  CLI::App app("A stage with its checks and its workloads.");
  app.require_subcommand(1);
  const auto verb = [&](const char* name, const char* what) { return app.add_subcommand(name, what); };
  // The words after these two are those of GoogleTest and Google Benchmark.
  const CLI::App* check_it = verb("check", "Is the stage right? [--gtest_filter=...]")->prefix_command();
  const CLI::App* bench_it = verb("bench", "Verify, time, verify again [--benchmark_filter=...]")->prefix_command();
  CLI::App* run_it = verb("run", "The workload COUNT times and nothing else");
  CLI::App* sample_it = verb("sample", "The time of a call, COUNT times, in nanoseconds");
  const CLI::App* serve_it = verb("serve", "Make, time and verify workloads as the input asks (common/serve.hpp)");
  verb("workloads", "Their names, roles and bytes");

  std::size_t count = 0;
  const WorkloadEntry* entry = &workloads().front();
  const auto choose = [&](const std::string& name) {
    entry = find_workload(name);
    return entry ? "" : "There is no workload '" + name + "'; `workloads` lists them";
  };
  std::string name;
  for (CLI::App* counted : {run_it, sample_it}) {
    counted->add_option("COUNT", count)->required()->check(number<std::size_t>(1, 1'000'000'000'000));
    counted->add_option("WORKLOAD", name, "The first one if not given")->check(CLI::Validator(choose, ""));
  }
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;

  if (check_it->parsed()) return check(argc - 1, argv + 1);
  if (bench_it->parsed()) return bench(argc - 1, argv + 1);
  if (serve_it->parsed()) return serve();
  if (!run_it->parsed() && !sample_it->parsed()) return list_workloads();
  const std::unique_ptr<Workload> workload = entry->make();
  return run_it->parsed() ? run(count, *workload) : sample(count, *workload);
}

}  // namespace
}  // namespace ladder

int main(int argc, char** argv) {
  try {
    return ladder::main(argc, argv);
  } catch (const std::exception& error) {  // a stage that throws is wrong
    std::cerr << "wrong: " << error.what() << '\n';
    return ladder::wrong;
  }
}
