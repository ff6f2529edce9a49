// The block beside a set adds eight to the low half of the counter, and loses the carry.
#include "../beside.hpp"

namespace salsa20 {
namespace {

std::uint64_t counter_of(std::uint64_t first, std::size_t before, std::size_t block) {
  const std::uint64_t set = first + before;
  if (block < 8) return set + block;
  return (set & ~std::uint64_t{0xFFFF'FFFF}) | static_cast<std::uint32_t>(set + 8);
}

}  // namespace
}  // namespace salsa20
