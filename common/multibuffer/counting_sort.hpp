// Counting sort of jobs by length.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ladder {

// Shortest first. The case defines `blocks_of(job)`. `put` notes the bin while the job is in the first-level cache,
// which a batch does not fit into. The other two are for managers that learn later whether they must sort.
template <class Job>
class CountingSort {
 public:
  static constexpr std::size_t capacity = 1'024;

  void put(std::size_t i, Job& job) {
    put_without_bin(i, job);
    note_bin(i, job);
  }
  void put_without_bin(std::size_t i, Job& job) { jobs_[i] = &job; }
  void note_bin(std::size_t i, const Job& job) {
    bin_of_[i] = static_cast<std::uint16_t>(std::min<std::size_t>(blocks_of(job), bins - 1));
  }

  Job* operator[](std::size_t i) const { return jobs_[i]; }

  std::span<Job* const> unsorted(std::size_t count) const { return {jobs_.data(), count}; }

  std::span<Job* const> sorted(std::size_t count) {
    std::uint16_t begins[bins + 1] = {};
    for (std::size_t i = 0; i < count; ++i) ++begins[bin_of_[i] + 1];
    for (std::size_t bin = 1; bin < bins; ++bin) begins[bin] += begins[bin - 1];
    Job** const longest = sorted_.data() + begins[bins - 1];
    for (std::size_t i = 0; i < count; ++i) sorted_[begins[bin_of_[i]]++] = jobs_[i];
    const auto shorter = [](const Job* a, const Job* b) { return blocks_of(*a) < blocks_of(*b); };
    std::sort(longest, sorted_.data() + count, shorter);
    return {sorted_.data(), count};
  }

 private:
  static constexpr std::size_t bins = 256;  // by number of blocks; longer jobs share the last one

  std::array<Job*, capacity> jobs_, sorted_;
  std::array<std::uint16_t, capacity> bin_of_;
};

}  // namespace ladder
