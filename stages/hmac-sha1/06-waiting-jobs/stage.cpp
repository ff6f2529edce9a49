// Job queue: jobs wait until there are two, are finished together, and go back one at a time.
#include "common/multibuffer/waiting.hpp"
#include "hmac-sha1/01-pads/hmac.hpp"
#include "hmac-sha1/03-registers/compress.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

namespace {

constexpr std::size_t group = 2;

struct Processor {
  void operator()(std::span<Job* const> jobs) const {
    for (const Job* job : jobs) hash(*job);
  }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, group, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
