// Encrypts a group of jobs together as far as the shortest goes, and the rest of each alone.
#pragma once

#include <algorithm>
#include <span>

#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

template <unsigned width>
static void encrypt_alone(const Lanes<width>& lanes, unsigned lane, std::size_t size) {
  Vector chained = lanes.chained[lane];
  for (std::size_t i = 0; i < size; i += block_bytes) {
    chained = encrypt(chained ^ load(lanes.in[lane] + i), *lanes.key[lane]);
    store(lanes.out[lane] + i, chained);
  }
}

// As many jobs as there are lanes, or fewer.
template <unsigned width>
static void encrypt_group(std::span<Job* const> jobs) {
  Lanes<width> lanes;
  for (unsigned lane = 0; lane < jobs.size(); ++lane) lanes.put(lane, *jobs[lane]);
  std::size_t shortest = 0;
  if (jobs.size() == width) {
    shortest = (*std::ranges::min_element(jobs, {}, [](const Job* job) { return job->size; }))->size;
    encrypt(lanes, shortest);
  }
  for (unsigned lane = 0; lane < jobs.size(); ++lane) encrypt_alone(lanes, lane, jobs[lane]->size - shortest);
}

}  // namespace aes_cbc
