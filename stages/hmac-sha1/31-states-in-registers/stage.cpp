// Register allocation: a barrier makes each block begin with states in registers, which are not copied in memory.
// requires: x86-64 ssse3 sse4.1 sha
// until: x86-64-v3
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/29-one-two-four-streams/streams_by_count.hpp"
#include "hmac-sha1/31-states-in-registers/states_in_registers.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

State after_pad(const Key& key, std::uint8_t pad) { return after_pad(key, pad, Compress<StatesInRegisters>{}); }

}  // namespace

struct Manager : ladder::Gathering<Job, StreamsByCount<StatesInRegisters>> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
