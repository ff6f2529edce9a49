// No AVX beside SHA instructions: an option compiles this file without it, with both compilers.
// requires: x86-64-v3 no-avx sha
// until: x86-64-v3
// variants: no-steps
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/31-states-in-registers/states_in_registers.hpp"
#include "hmac-sha1/34-loop-splitting/split_streams.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

#ifdef __clang__
using Streams = SplitStreams<StatesInRegisters>;
#else
using Streams = FewUnequal<StatesInRegisters>;  // in a loop without masks GCC copies more registers
#endif

// The caller may have used upper halves. No code here can use them, so they stay clear.
void clear_for_all() { asm volatile("vzeroupper"); }

class ClearThenStreams {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    clear_for_all();
    streams_(jobs, summary);
  }

 private:
  Streams streams_;
};

State after_pad(const Key& key, std::uint8_t pad) {
  clear_for_all();
  return after_pad(key, pad, Compress<StatesInRegisters>{});
}

}  // namespace

struct Manager : ladder::Gathering<Job, ClearThenStreams> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
