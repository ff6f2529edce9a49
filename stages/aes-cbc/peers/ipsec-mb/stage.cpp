// Intel's multi-buffer library, the paper's own descendant, with the manager of this level: 8 or 16 lanes.
// requires: x86-64
// lacks: empty long
// links: IPSec_MB
// variants: no-cipher
#include "aes-cbc/peers/ipsec_mb.hpp"

namespace aes_cbc {
namespace {

void choose(IMB_MGR* manager) {
#if defined(__AVX512F__)
  init_mb_mgr_avx512(manager);
#elif defined(__AVX2__)
  init_mb_mgr_avx2(manager);
#else
  init_mb_mgr_sse(manager);
#endif
}

}  // namespace
}  // namespace aes_cbc
