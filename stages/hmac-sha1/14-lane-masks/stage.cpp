// Masked lanes: a group of jobs begins and ends together, and a mask keeps the state of lanes that ended before.
#include "common/multibuffer/waiting.hpp"
#include "hmac-sha1/08-loop-fission/group.hpp"
#include "hmac-sha1/14-lane-masks/hash.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct Processor {
  void operator()(std::span<Job* const> jobs) const { hash_group<lanes>(jobs, hash); }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, lanes, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
