// A copy of the states that is not made in memory.
#pragma once

#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"

namespace hmac_sha1 {

// Each part has to be in a register here, so GCC does not copy the array in memory. Clang keeps the parts in registers
// without that.
template <std::size_t streams>
[[gnu::always_inline]] static inline void copy_in_registers(Hash (&to)[streams], const Hash (&from)[streams]) {
  for (std::size_t s = 0; s < streams; ++s) {
    to[s] = from[s];
#ifndef __clang__
    asm("" : "+x"(to[s].abcd), "+x"(to[s].e));
#endif
  }
}

struct StatesInRegisters : WordsInMemory {
  [[gnu::always_inline]] static void copy(auto& to, const auto& from) {
    copy_in_registers(to, from);
    clear_upper_halves();
  }
};

}  // namespace hmac_sha1
