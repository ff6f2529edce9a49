// Encrypts a group of sorted jobs in lanes.
#pragma once

#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/06-out-of-order/copy_lane.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr unsigned width = 8;  // buffers whose rounds are interleaved

// As many jobs as there are lanes, shortest first. Lanes that have ended repeat the shortest of the others.
// `encrypt(lanes, size)` encrypts the next bytes of every lane.
[[gnu::always_inline]] static inline void encrypt_group(Job* const* jobs, auto&& encrypt) {
  Lanes<width> lanes;
  for (unsigned lane = 0; lane < width; ++lane) lanes.put(lane, *jobs[lane]);
  std::size_t done = 0;
  for (unsigned lane = 0; lane < width; ++lane) {
    if (jobs[lane]->size == done) continue;
    for (unsigned ended = 0; ended < lane; ++ended) copy_lane(lanes, ended, lane);
    encrypt(lanes, jobs[lane]->size - done);
    done = jobs[lane]->size;
  }
}

}  // namespace aes_cbc
