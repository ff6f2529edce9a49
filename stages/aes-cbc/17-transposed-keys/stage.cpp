// Matrix transposition of round keys: four keys of a lane are loaded at once, and transposed in registers.
// requires: x86-64-v4 vaes
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/17-transposed-keys/group.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor<SharedKey<TransposedKeys>, OwnKeys<TransposedKeys>>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
