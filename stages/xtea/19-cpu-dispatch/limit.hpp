// Up to `few` blocks, scalar rounds take less time than a set of vectors.
#pragma once

#include <cstddef>

#include "xtea/19-cpu-dispatch/core.hpp"

namespace xtea {
namespace {

constexpr std::size_t most_few = 7;
// Set when the program starts. Before that it is zero, and vectors take all blocks.
const std::size_t few = has_two_cycle_vectors() ? most_few : 3;

}  // namespace
}  // namespace xtea
