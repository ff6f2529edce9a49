// Interleave independent vectors: decryption executes the rounds of four vectors of a buffer in turn.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/27-vector-validation/validated_at_once.hpp"
#include "aes-cbc/29-few-jobs/by_count.hpp"
#include "aes-cbc/31-interleaved-vectors/decrypt.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ValidatedAtOnce<ByCount> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
