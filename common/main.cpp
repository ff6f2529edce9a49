// A stage's program: check, bench, run, sample, serve, workloads. Exit codes: 0 right; 1 wrong answer; 2 bad input, too
// little memory, or output that cannot be written; 77 the CPU lacks a feature (guard.c).
#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "common/command_line.hpp"
#include "common/guarded.hpp"
#include "common/serve.hpp"
#include "common/timed.hpp"
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

// Where a stage touches a guard page, the sentence says in which test.
class Names : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& info) override { name_test(info.test_suite_name(), info.name()); }
};

int check(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new Names);  // GoogleTest deletes it
  if (argc > 1) return misused(std::string("check does not know '") + argv[1] + "'.");
  const int failed = RUN_ALL_TESTS();
  if (testing::UnitTest::GetInstance()->test_to_run_count() == 0) return misused("No test matches that filter.");
  return failed ? wrong : right;
}

int bench(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc > 1) return misused(std::string("bench does not know '") + argv[1] + "'.");
  return ladder::bench();
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
  const auto count_calls = [&](CLI::App* verb, std::size_t most) {
    verb->add_option("COUNT", count)->required()->check(number<std::size_t>(1, most));
    verb->add_option("WORKLOAD", name, "The first one if not given")->check(CLI::Validator(choose, ""));
  };
  count_calls(run_it, 1'000'000'000'000);
  count_calls(sample_it, 10'000'000);  // each sample is kept until the last one
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
    const int code = ladder::main(argc, argv);
    const bool is_written = std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (code == ladder::right && !is_written) throw ladder::Unusable("The output cannot be written.");
    return code;
  } catch (const ladder::Unusable& error) {
    std::cerr << error.what() << '\n';
  } catch (const std::bad_alloc&) {
    std::cerr << "There is not enough memory for this.\n";
  } catch (const std::exception& error) {  // a stage that throws is wrong
    std::cerr << "wrong: " << error.what() << '\n';
    return ladder::wrong;
  }
  return ladder::bad_input;
}
