// Cuts sorted jobs into groups.
#pragma once

#include <algorithm>
#include <span>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

template <std::size_t size>
[[gnu::always_inline]] static inline void for_each_group(std::span<Job* const> jobs, auto&& process) {
  for (std::size_t i = 0; i < jobs.size(); i += size) process(jobs.subspan(i, std::min(size, jobs.size() - i)));
}

}  // namespace hmac_sha1
