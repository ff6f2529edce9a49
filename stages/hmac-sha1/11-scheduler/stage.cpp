// Out-of-order scheduler: a finished job is handed back at once and its lane takes the next job, so no lane waits.
#include "hmac-sha1/11-scheduler/scalar_load.hpp"
#include "hmac-sha1/11-scheduler/scheduler.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

using Lanes [[gnu::vector_size(16)]] = Word;  // the same word of each of four messages

}  // namespace

struct Manager : Scheduler<Lanes, ScalarLoad<Lanes>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
