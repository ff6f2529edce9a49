// Each block of a set is written before the next one is xored with it, so buffers in place are wrong.
#include "../sets.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  return with_written(job, text, i, 16 * block_bytes);
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
