// Wider vectors: eight lanes with AVX2, sixteen with AVX-512.
#include "hmac-sha1/11-scheduler/scalar_load.hpp"
#include "hmac-sha1/11-scheduler/scheduler.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : Scheduler<Lanes, ScalarLoad<Lanes>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
