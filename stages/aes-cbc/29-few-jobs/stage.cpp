// Kernel selection by number of jobs: up to four take one vector, and up to eight take two.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/27-vector-validation/validated_at_once.hpp"
#include "aes-cbc/29-few-jobs/by_count.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ValidatedAtOnce<ByCount> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
