// Message schedule on the fly: four words are loaded or computed just before their steps, and no others.
// requires: x86-64 ssse3 sse4.1 sha
// until: x86-64-v3
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/19-sha-streams/streams.hpp"
#include "hmac-sha1/25-on-the-fly-schedule/compress.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

State after_pad(const Key& key, std::uint8_t pad) { return after_pad(key, pad, Compress<>{}); }

}  // namespace

struct Manager : ladder::Gathering<Job, StreamProcessor<Compress<>>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
