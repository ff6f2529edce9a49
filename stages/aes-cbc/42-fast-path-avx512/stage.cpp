// Fast path with AVX-512: a batch of one job is encrypted at once, without gathering and sorting.
// requires: x86-64-v4 aes vaes
// variants: no-kernel
#include "aes-cbc/31-interleaved-vectors/decrypt.hpp"
#include "aes-cbc/37-short-jobs-avx512/at_once.hpp"
#include "aes-cbc/40-fast-path/one_at_once.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : OneAtOnce<ShortAtOnce> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
