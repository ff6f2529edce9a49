// Kernel selection by core: lanes of AVX2 for many jobs where the SHA unit is slow (Intel), streams on all others.
// requires: x86-64-v3 prefer-vector-width=128 sha
// until: x86-64-v3
// variants: no-steps other-core
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/37-vector-schedule/by_core.hpp"
#include "hmac-sha1/40-lanes-by-core/cleared_streams.hpp"
#include "hmac-sha1/40-lanes-by-core/lanes_for_many.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager : ladder::Gathering<Job, ByCore<LanesForMany<ClearedOnce>, ClearedStreams>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
