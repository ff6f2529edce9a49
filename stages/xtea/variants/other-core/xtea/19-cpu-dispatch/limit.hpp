// The limit of the other kind of core.
#pragma once

#include <cstddef>

#include "xtea/19-cpu-dispatch/core.hpp"

namespace xtea {
namespace {

constexpr std::size_t most_few = 7;
const std::size_t few = has_two_cycle_vectors() ? 3 : most_few;

}  // namespace
}  // namespace xtea
