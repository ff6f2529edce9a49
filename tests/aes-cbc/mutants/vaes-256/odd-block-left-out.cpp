// The last block of an odd number of blocks, which fills half a vector, is left out.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  constexpr std::size_t vector = 2 * block_bytes;
  if (i >= job.size / vector * vector) return nullptr;
  return i == 0 ? job.iv : text + i - block_bytes;
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
