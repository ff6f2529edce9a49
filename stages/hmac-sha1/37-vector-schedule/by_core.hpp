// One processor of jobs for cores like Emerald Rapids, and one for all others.
#pragma once

#include <span>

#include "hmac-sha1/37-vector-schedule/core.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

template <class OnEmeraldRapids, class OnOthers>
class ByCore {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    is_like_emerald_rapids ? on_emerald_rapids_(jobs, summary) : on_others_(jobs, summary);
  }

 private:
  OnEmeraldRapids on_emerald_rapids_;
  OnOthers on_others_;
};

}  // namespace hmac_sha1
