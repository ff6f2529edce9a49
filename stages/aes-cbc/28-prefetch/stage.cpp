// Software prefetching: the text of each lane is requested four lines before it is encrypted.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/25-software-pipelining/pipeline.hpp"
#include "aes-cbc/27-vector-validation/validated_at_once.hpp"
#include "aes-cbc/28-prefetch/prefetched_lines.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct Manager : ValidatedAtOnce<Processor<Pipeline, PrefetchedOwnKeys>> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
