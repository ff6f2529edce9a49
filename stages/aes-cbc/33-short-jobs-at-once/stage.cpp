// Out-of-order execution instead of lanes: jobs of one or two blocks are encrypted as they come.
// requires: aes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/30-interleaved-decryption/decrypt.hpp"
#include "aes-cbc/33-short-jobs-at-once/at_once.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ShortAtOnce<ByCount> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
