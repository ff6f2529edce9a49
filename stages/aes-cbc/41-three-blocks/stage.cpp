// Out-of-order execution instead of lanes for jobs of three blocks, too, where each has a key of its own.
// requires: x86-64-v3 aes vaes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/34-vaes-256/decrypt.hpp"
#include "aes-cbc/35-vaes-256-lanes/sixteen_lanes.hpp"
#include "aes-cbc/38-packing/packed_group.hpp"
#include "aes-cbc/39-reassociation/few_jobs.hpp"
#include "aes-cbc/40-fast-path/one_at_once.hpp"
#include "aes-cbc/41-three-blocks/at_once_by_key.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : OneAtOnce<AtOnceByKey<FewReassociated<SixteenLanes<PackedOrPaired>>>> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
