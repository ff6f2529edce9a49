// Kernel selection by number of jobs: a single job takes no lanes, nor do a few short ones.
// requires: x86-64-v4 aes vaes
// variants: no-kernel
#include "aes-cbc/27-vector-validation/validated_at_once.hpp"
#include "aes-cbc/31-interleaved-vectors/decrypt.hpp"
#include "aes-cbc/36-one-job/no_lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ValidatedAtOnce<NoLanesOrByCount> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
