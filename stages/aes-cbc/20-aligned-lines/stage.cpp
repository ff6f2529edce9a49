// Cache-line alignment: long buffers begin with up to three blocks, to bring the lanes to the next cache line.
// requires: x86-64-v4 vaes
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/20-aligned-lines/group.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor<SharedKey<AlignedLines>, OwnKeys<AlignedLines>>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
