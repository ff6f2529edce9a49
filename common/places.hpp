// Which places of a workload's buffers are compared with the oracle.
#pragma once

#include <cstddef>
#include <vector>

namespace ladder {

// `places` of the numbers from 0 to `of` - 1 in ascending order; all of them if there are no more. They are drawn from
// fresh randomness, so that no stage can know which.
std::vector<std::size_t> drawn(std::size_t of, std::size_t places);

}  // namespace ladder
