// The upper block of the first vector of each set is xored with the same block as the lower one.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  constexpr std::size_t set = 16 * block_bytes;
  const bool is_upper = i % set == block_bytes && i / set < job.size / set;
  const std::size_t lower = is_upper ? i - block_bytes : i;
  return lower == 0 ? job.iv : text + lower - block_bytes;
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
