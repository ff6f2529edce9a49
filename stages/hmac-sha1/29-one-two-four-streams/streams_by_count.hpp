// Chooses the number of interleaved streams by the number of jobs.
#pragma once

#include <span>

#include "hmac-sha1/19-sha-streams/streams.hpp"
#include "hmac-sha1/25-on-the-fly-schedule/compress.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Sorted jobs. One or two that are left over are the shortest. Three cost no more than four.
template <class Barriers>
class StreamsByCount {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    const std::size_t over = jobs.size() % 4 == 3 ? 0 : jobs.size() % 4;
    if (over == 1) one_(jobs.first(1), summary);
    if (over == 2) two_(jobs.first(2), summary);
    four_(jobs.subspan(over), summary);
  }

 private:
  StreamProcessor<Compress<Barriers>, 1> one_;
  StreamProcessor<Compress<Barriers>, 2> two_;
  StreamProcessor<Compress<Barriers>, 4> four_;
};

}  // namespace hmac_sha1
