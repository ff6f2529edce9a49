// The vectors of a buffer are counted in eight bits: of 256 or more only the first are decrypted. An odd block behind
// them is right.
#include "../sets.hpp"

namespace aes_cbc {
namespace {

const std::uint8_t* before(const Job& job, const std::uint8_t* text, std::size_t i) {
  return with_few_sets(job, text, i, 2 * block_bytes);
}

}  // namespace
}  // namespace aes_cbc

#include "../chaining.hpp"  // wants what is above
