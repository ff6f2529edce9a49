// Streams of SHA instructions for which upper halves are cleared once, before the first job.
#pragma once

#include <span>

#include "hmac-sha1/31-states-in-registers/states_in_registers.hpp"
#include "hmac-sha1/34-loop-splitting/split_streams.hpp"

namespace hmac_sha1 {

struct ClearedOnce : WordsInMemory {
  [[gnu::always_inline]] static void copy(auto& to, const auto& from) { copy_in_registers(to, from); }
};

template <class Streams>
class ClearThen {
 public:
  void operator()(std::span<Job* const> jobs, const auto& summary) {
    clear_upper_halves();
    streams_(jobs, summary);
  }

 private:
  Streams streams_;
};

#ifdef __clang__
using ClearedStreams = ClearThen<SplitStreams<ClearedOnce>>;
#else
using ClearedStreams = ClearThen<FewUnequal<ClearedOnce>>;  // in a loop without masks GCC copies more registers
#endif

}  // namespace hmac_sha1
