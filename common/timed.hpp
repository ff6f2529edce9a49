// The verbs bench, run and sample, which give numbers. Each returns the exit code.
#pragma once

#include <cstddef>

#include "common/workload.hpp"

namespace ladder {

// Verifies, times and verifies each workload that Google Benchmark's filter matches. Throws Unusable if none does.
int bench();

// Calls the workload `count` times, and does nothing else: for tools that time or count a whole program.
int run(std::size_t count, Workload& workload);

// Prints `count` times of a call in nanoseconds.
int sample(std::size_t count, Workload& workload);

}  // namespace ladder
