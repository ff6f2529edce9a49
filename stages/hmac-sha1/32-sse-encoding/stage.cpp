// SSE encoding: SHA instructions have no other, so GCC compiles all code beside them without AVX.
// requires: x86-64-v3 sha
// until: x86-64-v3
// variants: no-steps
#ifndef __clang__  // Clang has another pragma, with which its intrinsics do not compile
#pragma GCC target("no-avx")
#endif
#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/29-one-two-four-streams/streams_by_count.hpp"
#include "hmac-sha1/31-states-in-registers/states_in_registers.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

// Barriers of the streams. Clang clears upper halves before each block, GCC once for all jobs.
#ifdef __clang__
using Beside = StatesInRegisters;
void clear_for_all() {}
#else
struct Beside : WordsInMemory {
  [[gnu::always_inline]] static void copy(auto& to, const auto& from) { copy_in_registers(to, from); }
};

// The caller may have used upper halves. No code here can use them, so they stay clear.
void clear_for_all() { asm volatile("vzeroupper"); }
#endif

class ClearThenStreams {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    clear_for_all();
    streams_(jobs, summary);
  }

 private:
  StreamsByCount<Beside> streams_;
};

State after_pad(const Key& key, std::uint8_t pad) {
  clear_for_all();
  return after_pad(key, pad, Compress<Beside>{});
}

}  // namespace

struct Manager : ladder::Gathering<Job, ClearThenStreams> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
