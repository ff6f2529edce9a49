// Encrypts a group of jobs together as far as the shortest goes, and the rest of each alone.
#pragma once

#include <algorithm>
#include <span>

#include "aes-cbc/02-aes-instructions/one_buffer.hpp"
#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// As many jobs as there are lanes, or fewer.
template <unsigned width>
static void encrypt_group(std::span<Job* const> jobs) {
  Lanes<width> lanes;
  for (unsigned lane = 0; lane < jobs.size(); ++lane) lanes.put(lane, *jobs[lane]);
  const std::size_t shortest = jobs.size() < width ? 0 : std::ranges::min(jobs, {}, &Job::size)->size;
  if (shortest != 0) encrypt(lanes, shortest);
  for (unsigned lane = 0; lane < jobs.size(); ++lane) {
    encrypt_alone(lanes.in[lane], lanes.out[lane], jobs[lane]->size - shortest, *lanes.key[lane], lanes.chained[lane]);
  }
}

}  // namespace aes_cbc
