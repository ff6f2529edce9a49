// The limit of the other kind of core.
#pragma once

#include <cstddef>

#include "salsa20/20-cpu-dispatch/core.hpp"

namespace salsa20 {
namespace {

const std::size_t scalar_blocks = has_two_cycle_vectors() ? 0 : 1;

}  // namespace
}  // namespace salsa20
