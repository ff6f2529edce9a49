// Sorted batches: the jobs of a batch are sorted in portions of 1,024, and do not pass through the window.
#include "common/multibuffer/gathering.hpp"
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

struct Manager : ladder::Gathering<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
