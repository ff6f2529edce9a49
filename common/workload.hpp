// What a case gives the harness to work with: named workloads, one definition for check, bench, run and sample.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ladder {

// A buffer (or several) and the stage's function applied to it again and again.
class Workload {
 public:
  enum class Look { everywhere, at_samples };

  virtual ~Workload() = default;

  // Applies the stage once more. Nothing else may stand in here: this is what is timed.
  virtual void call() = 0;

  // Compares the buffers, after all the calls so far, with the oracle; empty, or what is wrong in one sentence.
  virtual std::string wrong(Look look) const = 0;
};

enum class Role {
  main,   // timed in every block; the first one of a case is what its predictions are about
  sweep,  // one point of the curve over sizes, timed in a few blocks
  once,   // timed as few times as a sweep, shown beside the main workloads
};

struct WorkloadEntry {
  std::string name;
  Role role;
  std::size_t bytes;  // that one call processes
  std::function<std::unique_ptr<Workload>()> make;
};

// Defined by the case (tests/<case>/workloads.cpp).
const std::vector<WorkloadEntry>& workloads();

}  // namespace ladder
