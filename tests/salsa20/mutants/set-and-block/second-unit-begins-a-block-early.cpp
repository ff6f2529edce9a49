// The second set with a block beside it goes on behind the first set, and not behind that set's block.
#include "../beside.hpp"

namespace salsa20 {
namespace {

std::uint64_t counter_of(std::uint64_t first, std::size_t before, std::size_t block) {
  return first + before + block - (before % 8 == 1 ? 1 : 0);  // only sets of eight come before the first unit
}

}  // namespace
}  // namespace salsa20
