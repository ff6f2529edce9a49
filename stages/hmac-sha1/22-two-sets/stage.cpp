// Two full-width vectors: thirty-two messages in two independent dependency chains, which interleave.
// requires: x86-64-v4
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/20-half-vectors/pair_of_vectors.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

using Vector [[gnu::vector_size(4 * 16)]] = Word;
using Lanes = Pair<Vector>;  // the same word of each message

}  // namespace

struct Manager : ladder::Gathering<Job, LaneProcessor<Lanes>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
