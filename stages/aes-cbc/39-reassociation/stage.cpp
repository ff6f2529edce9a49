// Reassociation: where few jobs are chains, the next block is xored with the last round key, outside of the chain.
// requires: x86-64-v3 aes vaes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/33-short-jobs-at-once/at_once.hpp"
#include "aes-cbc/34-vaes-256/decrypt.hpp"
#include "aes-cbc/35-vaes-256-lanes/sixteen_lanes.hpp"
#include "aes-cbc/38-packing/packed_group.hpp"
#include "aes-cbc/39-reassociation/few_jobs.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ShortAtOnce<FewReassociated<SixteenLanes<PackedOrPaired>>> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
