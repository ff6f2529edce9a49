// What a case gives the harness to work with: named workloads, one definition for check, bench, run, sample and serve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ladder {

// How many places `wrong` compares. After the first call of a workload it is all of them. After timing it is fewer,
// because the oracle may have to repeat every call at each place.
inline constexpr std::size_t everywhere = SIZE_MAX, at_samples = 16;

// A buffer (or several) and the stage's function applied to it again and again.
class Workload {
 public:
  virtual ~Workload() = default;

  // Applies the stage once more. All of it is timed. So a case adds only what gives each call new work, such as keys.
  virtual void call() = 0;

  // Compares `places` blocks, messages or buffers, drawn afresh, with the oracle after all the calls so far; all of
  // them if there are no more. Empty, or what is wrong in one sentence.
  virtual std::string wrong(std::size_t places) const = 0;
};

enum class Role {
  main,   // compared in the most rounds; predictions are about the first one of a case
  sweep,  // one point of the curve over sizes, compared in fewer rounds
  once,   // compared in as few rounds as a sweep, and shown beside the main workloads
};

struct WorkloadEntry {
  std::string name;
  Role role;
  std::size_t bytes;  // that one call processes
  std::function<std::unique_ptr<Workload>()> make;
};

// Defined by the case (stages/<case>/workloads.cpp).
const std::vector<WorkloadEntry>& workloads();

}  // namespace ladder
