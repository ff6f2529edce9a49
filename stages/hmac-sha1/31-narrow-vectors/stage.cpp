// Narrow vectors: no upper half of a register is in use beside SHA instructions, which exist in the SSE encoding only.
// requires: x86-64-v3 sha
// until: x86-64-v3
// variants: no-steps
#ifndef __clang__  // it does not know this pragma, and uses no 256-bit registers here
#pragma GCC target("prefer-vector-width=128")
#endif
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/29-one-two-four-streams/streams_by_count.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

State after_pad(const Key& key, std::uint8_t pad) { return after_pad(key, pad, Compress<WordsInMemory>{}); }

}  // namespace

struct Manager : ladder::Gathering<Job, StreamsByCount> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
