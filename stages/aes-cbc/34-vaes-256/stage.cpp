// VAES in 256-bit registers: for decryption one instruction does a round of two blocks, without AVX-512.
// requires: x86-64-v3 aes vaes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/33-short-jobs-at-once/at_once.hpp"
#include "aes-cbc/34-vaes-256/decrypt.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ShortAtOnce<ByCount> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
