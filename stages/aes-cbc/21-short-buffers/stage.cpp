// Short buffers in eight lanes: their round keys stay in registers after the transposition.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/20-aligned-lines/group.hpp"
#include "aes-cbc/21-short-buffers/own_keys_by_size.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor<SharedKey<AlignedLines>, OwnKeysBySize>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
