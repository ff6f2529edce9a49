// Unrolled steps: variable names rotate instead of values.
#include "common/multibuffer/manager.hpp"
#include "hmac-sha1/01-pads/hmac.hpp"
#include "hmac-sha1/03-registers/compress.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

namespace {

struct Processor {
  void operator()(const Job& job) const { hash(job); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
