// Shared key: if all jobs have the same key, each round key is loaded once for all lanes.
// requires: aes
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/13-shared-key/processor.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ladder::Gathering<Job, Processor, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
