// Kernel selection by number of jobs: a rest of two to four takes four lanes, and a rest of one takes none.
// requires: aes
// until: x86-64-v3
// variants: no-kernel
#include "aes-cbc/30-interleaved-decryption/decrypt.hpp"
#include "aes-cbc/32-rest-by-count/by_count.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, ByCount, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
