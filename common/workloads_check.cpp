// Every workload of the case, as bench and run will use it, compared with the oracle.
#include <gtest/gtest.h>

#include <ostream>

#include "common/workload.hpp"

namespace ladder {

// GoogleTest says what failed by this, and not by its bytes.
static void PrintTo(const WorkloadEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

class EveryWorkload : public testing::TestWithParam<WorkloadEntry> {};

TEST_P(EveryWorkload, IsRightAfterEachOfThreeCalls) {
  const std::unique_ptr<Workload> workload = GetParam().make();
  EXPECT_EQ(workload->wrong(at_samples), "") << "before the first call";
  for (int calls = 1; calls <= 3; ++calls) {
    workload->call();
    // The oracle is slow. So all places are compared only once, after the last call.
    EXPECT_EQ(workload->wrong(calls == 3 ? everywhere : at_samples), "") << "after " << calls << " calls";
  }
}

std::string test_name(const testing::TestParamInfo<WorkloadEntry>& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Case, EveryWorkload, testing::ValuesIn(workloads()), test_name);

}  // namespace
}  // namespace ladder
