// Groups of jobs in sixteen lanes, for mutants.
#pragma once

#include <array>
#include <utility>

#include "cipher.hpp"

namespace aes_cbc {
namespace {

constexpr unsigned lanes = 16;
constexpr std::size_t line_bytes = 64;

using Group = std::array<const Job*, lanes>;

// Where the lanes cannot all be filled, in the first group, empty jobs with the first key are in the others. The groups
// are good until the next call in this thread.
inline std::vector<Group> groups_of(const std::vector<Job*>& jobs) {
  if (jobs.empty()) return {};
  static std::uint8_t nothing[block_bytes];
  static thread_local Job empty;
  empty = {nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
  std::vector<const Job*> padded((lanes - jobs.size() % lanes) % lanes, &empty);
  padded.insert(padded.end(), jobs.begin(), jobs.end());
  std::vector<Group> groups(padded.size() / lanes);
  for (std::size_t i = 0; i < padded.size(); ++i) groups[i / lanes][i % lanes] = padded[i];
  return groups;
}

// Least first.
inline std::vector<Group> sorted_groups_of(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  return groups_of(jobs);
}

inline bool have_one_key(const std::vector<Job*>& jobs) {
  return std::ranges::all_of(jobs, [&](const Job* job) { return job->key == jobs[0]->key; });
}

// From the first lane's output to the next line, where a group of long buffers goes to the border of a line first.
inline std::size_t bytes_to_border(const Group& group) {
  if (group.front()->size < 4 * line_bytes) return 0;
  return -reinterpret_cast<std::uintptr_t>(group.front()->out) % line_bytes;
}

}  // namespace
}  // namespace aes_cbc
