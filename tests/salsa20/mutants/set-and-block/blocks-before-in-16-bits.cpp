// The blocks before a set and a block are counted in 16 bits.
#include "../beside.hpp"

namespace salsa20 {
namespace {

std::uint64_t counter_of(std::uint64_t first, std::size_t before, std::size_t block) {
  return first + static_cast<std::uint16_t>(before) + block;
}

}  // namespace
}  // namespace salsa20
