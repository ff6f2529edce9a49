// Types common to all jobs. A job is work on one buffer; a manager may do several at once and return them in any order.
#pragma once

#include <cstdint>

namespace ladder {

enum class Status : std::uint8_t {
  waiting,  // the manager has it
  done,     // returned, with its result
  invalid,  // returned; nothing was read or written; the manager stores the problem
};

// What is wrong with a job.
enum class Problem : std::uint8_t { none, null_pointer, too_long, not_whole_blocks, result_size };

}  // namespace ladder
