// For fuzz targets of cases with managers: jobs are submitted, flushed and given in batches in any order. Each has to
// come back once, and an invalid one at once.
#pragma once

#include <set>

#include "common/multibuffer/jobs.hpp"
#include "tests/fuzz.hpp"

namespace ladder::fuzz {

// The case defines `problem_of(job)`.
template <class Job>
bool has_its_status(const Job& job) {
  return job.status == (problem_of(job) == Problem::none ? Status::done : Status::invalid);
}

// Empty, or what is wrong in one sentence.
template <class Job>
std::string wrong_order(Input& input, auto& manager, std::span<Job> jobs) {
  std::set<const Job*> out;  // that the manager has
  Problem last = Problem::none;
  const auto is_stranger = [&](const Job* job) { return job != nullptr && out.erase(job) == 0; };
  for (std::size_t next = 0; next < jobs.size();) {
    const std::size_t way = input.between(0, 7);
    if (way == 7) {
      const bool was_empty = out.empty();
      const Job* const back = flush(manager);
      if ((back == nullptr) != was_empty) return "flush returned nothing, or a job of an empty manager";
      if (is_stranger(back)) return "flush returned a job that the manager did not have";
      continue;
    }
    const std::size_t count = way == 6 ? input.size(jobs.size() - next) : 1;
    const auto some = jobs.subspan(next, count);
    next += count;
    for (const Job& job : some) last = problem_of(job) == Problem::none ? last : problem_of(job);
    if (way == 6) {
      batch(manager, some);
      out.clear();
      const auto waits = [](const Job& job) { return job.status == Status::waiting; };
      if (std::ranges::any_of(jobs.first(next), waits)) return "a job waits after a batch";
      continue;
    }
    out.insert(&some[0]);
    if (is_stranger(submit(manager, some[0]))) return "submit returned a job that the manager did not have";
    if (problem_of(some[0]) != Problem::none && out.contains(&some[0])) return "an invalid job was kept";
  }
  while (!out.empty()) {
    const Job* const back = flush(manager);
    if (back == nullptr || is_stranger(back)) return "flush lost a job";
  }
  if (flush(manager) != nullptr) return "flush returned a job of an empty manager";
  if (!std::ranges::all_of(jobs, has_its_status<Job>)) return "a status is wrong";
  return problem(manager) == last ? "" : "the manager does not know the problem of the last invalid job";
}

}  // namespace ladder::fuzz
