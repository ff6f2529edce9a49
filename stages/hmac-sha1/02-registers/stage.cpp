// Unrolled steps: variable names rotate instead of values, and the message schedule is a ring of 16 words instead of an
// array of 80.
#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/02-registers/compress.hpp"
#include "hmac-sha1/02-registers/finish.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

struct Processor {
  void operator()(const Job& job) const { hash(job, compress); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
