// Counting sort by length: many jobs are gathered and sorted, so the jobs of a group have similar lengths.
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/05-waiting-jobs/group.hpp"
#include "hmac-sha1/12-lane-masks/hash.hpp"
#include "hmac-sha1/13-counting-sort/groups.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct Processor {
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) const {
    for_each_group<lanes>(jobs, [](std::span<Job* const> group) { hash_group<lanes>(group, hash); });
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
