// Deciphering in place takes for the block before what has been written there.
#include "../cipher.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t*, std::size_t i) {
  return i == 0 ? job.iv : job.in + i - block_bytes;
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
