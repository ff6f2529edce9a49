// The block beside a set begins with the counter of the set's first block.
#include "../beside.hpp"

namespace salsa20 {
namespace {

std::uint64_t counter_of(std::uint64_t first, std::size_t before, std::size_t block) {
  return first + before + block % 8;
}

}  // namespace
}  // namespace salsa20
