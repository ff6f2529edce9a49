// 05 Out of order: the shortest lane is finished, handed back and filled again, and the others never stop.
// requires: aes
#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"
#include "aes-cbc/lanes.hpp"

namespace aes_cbc {

constexpr std::size_t nothing = SIZE_MAX;

struct Manager {
  Lanes lanes{};
  std::array<Job*, width> jobs;         // in the lanes
  std::array<std::size_t, width> left;  // bytes in each lane, or far more than any job has
  std::array<unsigned, width> unused;   // lanes, of which the first `idle` are
  unsigned idle = width;
  Problem problem = Problem::none;

  Manager() {
    left.fill(nothing);
    for (unsigned lane = 0; lane < width; ++lane) unused[lane] = lane;
  }
};

namespace {

// Works until the lane with the least to do has done it. The others go on from there next time.
Job* finish_shortest(Manager& manager) {
  const auto shortest = std::min_element(manager.left.begin(), manager.left.end());
  const unsigned lane = static_cast<unsigned>(shortest - manager.left.begin());
  if (const std::size_t size = *shortest; size != 0) {
    for (unsigned i = 0; i < manager.idle; ++i) manager.lanes.copy(manager.unused[i], lane);
    encrypt(manager.lanes, size);
    for (std::size_t& left : manager.left) left -= size;
  }
  manager.left[lane] = nothing;
  manager.unused[manager.idle++] = lane;
  manager.jobs[lane]->status = Status::done;
  return manager.jobs[lane];
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  const unsigned lane = manager.unused[--manager.idle];
  manager.lanes.put(lane, job);
  manager.jobs[lane] = &job;
  manager.left[lane] = job.size;
  return manager.idle == 0 ? finish_shortest(manager) : nullptr;
}

Job* flush(Manager& manager) { return manager.idle == width ? nullptr : finish_shortest(manager); }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
