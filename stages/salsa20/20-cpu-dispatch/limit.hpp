// Up to `scalar_blocks` blocks, scalar code takes less time than rows in vectors: one block, or none.
#pragma once

#include <cstddef>

#include "salsa20/20-cpu-dispatch/core.hpp"

namespace salsa20 {
namespace {

// Set when the program starts. Before that it is zero, and vectors take every block.
const std::size_t scalar_blocks = has_two_cycle_vectors() ? 1 : 0;

}  // namespace
}  // namespace salsa20
