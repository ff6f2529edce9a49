// Kernel selection by core: on Intel's cores jobs of two blocks are encrypted as they come, too.
// requires: x86-64-v4 aes vaes
// variants: no-kernel other-core
#include "aes-cbc/31-interleaved-vectors/decrypt.hpp"
#include "aes-cbc/37-short-jobs-avx512/at_once.hpp"
#include "aes-cbc/40-fast-path/one_at_once.hpp"
#include "aes-cbc/43-two-blocks-by-core/two_at_once.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : OneAtOnce<TwoAtOnce<ShortAtOnce>> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
