// Shared key in sixteen lanes: if all jobs have the same key, each round key is broadcast to all lanes.
// requires: x86-64-v4 vaes
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/15-sixteen-lanes/group.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor<SharedKey<BlockByBlock>, OwnKeys<BlockByBlock>>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
