// Shared offset: lanes that began together use one offset, and round keys of long buffers lie side by side, so most
// pointers stay in registers.
// requires: aes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/26-shared-offset/processor.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
