// Jobs through rings of several sizes: how many later jobs are submitted before a job comes back?
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include "common/multibuffer/in_order_members.hpp"

namespace hmac_sha1 {

// A ring of that many places holds one job less.
constexpr std::array<std::size_t, 7> pool_places{4, 8, 16, 32, 64, 128, 256};

// `job` gives each of `count` jobs. For each job that comes back, `returned` gets the number of the last one submitted.
template <class Ring, class Make, class Returned>
void submit_in_order(Ring& ring, std::size_t count, Make job, Returned returned) {
  for (std::size_t i = 0; i < count; ++i) {
    ring.next_job() = job(i);
    if (ring.submit()) returned(i);
  }
  while (ring.flush()) returned(count - 1);
}

// The largest number of jobs that are submitted after a job and before it comes back. Throws std::logic_error if a job
// does not come back.
template <class Ring, class Make>
std::size_t longest_wait(Ring& ring, std::size_t count, Make job) {
  std::size_t longest = 0, back = 0;
  submit_in_order(ring, count, job, [&](std::size_t last) { longest = std::max(longest, last - back++); });
  if (back != count) throw std::logic_error("A job never came back.");
  return longest;
}

}  // namespace hmac_sha1
