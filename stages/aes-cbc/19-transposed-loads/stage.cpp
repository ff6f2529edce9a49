// Masked loads and stores: all text is loaded by lines and transposed, also where buffers end apart.
// requires: x86-64-v4 vaes
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/19-transposed-loads/group.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor<SharedKey<LineByLine>, OwnKeys<LineByLine>>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
