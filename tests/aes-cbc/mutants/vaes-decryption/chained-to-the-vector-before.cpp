// Each block is xored with the one four places back, where the one before belongs.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  const std::size_t back = i < 4 * block_bytes ? block_bytes : 4 * block_bytes;
  return i == 0 ? job.iv : text + i - back;
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
