// The first block of each set is xored with what lies before it in the buffer, which in place was overwritten.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  constexpr std::size_t set = 16 * block_bytes;
  const bool begins_set = i % set == 0 && i / set < job.size / set;
  return i == 0 ? job.iv : (begins_set ? job.in : text) + i - block_bytes;
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
