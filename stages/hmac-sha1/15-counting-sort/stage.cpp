// Counting sort by length: 128 jobs are gathered and sorted, so the jobs of a group have similar lengths.
#include "common/multibuffer/sorter.hpp"
#include "common/multibuffer/waiting.hpp"
#include "hmac-sha1/08-loop-fission/group.hpp"
#include "hmac-sha1/14-lane-masks/hash.hpp"
#include "hmac-sha1/15-counting-sort/groups.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct Processor {
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) const {
    for_each_group<lanes>(jobs, [](std::span<Job* const> group) { hash_group<lanes>(group, hash); });
  }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, 128, ladder::Sorter<Job, Processor>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
