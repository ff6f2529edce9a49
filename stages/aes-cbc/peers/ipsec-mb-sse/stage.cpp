// The same library with its manager for SSE at every level: on some CPUs it is faster than that of the level.
// requires: x86-64
// lacks: empty long
// links: IPSec_MB
// variants: no-cipher
#include "aes-cbc/peers/ipsec_mb.hpp"

namespace aes_cbc {
namespace {

void choose(IMB_MGR* manager) { init_mb_mgr_sse(manager); }

}  // namespace
}  // namespace aes_cbc
