// What jobs have in common: work on independent buffers that a manager may do side by side and hand back in any order.
#pragma once

#include <cstdint>

namespace ladder {

enum class Status : std::uint8_t {
  waiting,  // with the manager
  done,     // handed back; the result is there
  invalid,  // handed back; nothing was read or written, and the manager knows the problem
};

// What is wrong with a job.
enum class Problem : std::uint8_t { none, null_pointer, too_long, not_whole_blocks, result_size };

}  // namespace ladder
