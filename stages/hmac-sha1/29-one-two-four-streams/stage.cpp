// Kernel selection by number of jobs: one or two jobs take one or two streams, and not four.
// requires: x86-64 ssse3 sse4.1 sha
// until: x86-64-v3
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"
#include "hmac-sha1/29-one-two-four-streams/streams_by_count.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

State after_pad(const Key& key, std::uint8_t pad) { return after_pad(key, pad, Compress<WordsInMemory>{}); }

}  // namespace

struct Manager : ladder::Gathering<Job, StreamsByCount<WordsInMemory>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
