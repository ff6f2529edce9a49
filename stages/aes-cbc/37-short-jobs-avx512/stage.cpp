// Out-of-order execution instead of lanes, with AVX-512: jobs of one block are encrypted as they come.
// requires: x86-64-v4 aes vaes
// variants: no-kernel
#include "aes-cbc/31-interleaved-vectors/decrypt.hpp"
#include "aes-cbc/37-short-jobs-avx512/at_once.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ShortAtOnce {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
