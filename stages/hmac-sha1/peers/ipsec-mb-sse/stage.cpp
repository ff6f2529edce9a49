// The same library with its manager for SSE at every level: where the CPU has SHA instructions, it uses them.
// requires: x86-64
// lacks: empty long truncated
// links: IPSec_MB
// variants: no-hash
#include "hmac-sha1/peers/ipsec_mb.hpp"

namespace hmac_sha1 {
namespace {

void choose(IMB_MGR* manager) { init_mb_mgr_sse(manager); }

}  // namespace
}  // namespace hmac_sha1
