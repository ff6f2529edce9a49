// VAES for decryption: one instruction does a round of four blocks of the same buffer.
// requires: x86-64-v4 aes vaes
#include "aes-cbc/13-shared-key/processor.hpp"
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
