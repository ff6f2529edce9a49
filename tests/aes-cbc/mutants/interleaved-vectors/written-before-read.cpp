// Each block of a set is written before the next one is xored with it, so buffers in place are wrong.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  constexpr std::size_t set = 16 * block_bytes;
  const bool in_set = i % set != 0 && i / set < job.size / set;
  const std::uint8_t* const from = in_set ? job.in : text;
  return i == 0 ? job.iv : from + i - block_bytes;
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
