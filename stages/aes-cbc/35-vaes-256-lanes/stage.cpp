// VAES in 256-bit registers, for encryption: one instruction does a round of a block of each of two jobs.
// requires: x86-64-v3 aes vaes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/33-short-jobs-at-once/at_once.hpp"
#include "aes-cbc/34-vaes-256/decrypt.hpp"
#include "aes-cbc/35-vaes-256-lanes/sixteen_lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ShortAtOnce<SixteenLanes<>> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
