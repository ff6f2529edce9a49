// The oracle: the same function in another way, for comparison only. It shares no code with a stage.
#pragma once

#include <cstdint>
#include <span>

namespace SPACE::oracle {

std::uint32_t hash(std::span<const std::uint8_t> bytes);

}  // namespace SPACE::oracle
