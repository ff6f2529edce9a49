// The buffer is filled once: the second 256 bytes of a job are the first again.
#include "../packing.hpp"

namespace aes_cbc {
namespace {

void spoil(Text& text, const Job* const* /*group*/, std::size_t /*lane*/) {
  if (text.size() >= 2 * packed_bytes) std::copy_n(text.begin(), packed_bytes, text.begin() + packed_bytes);
}

}  // namespace
}  // namespace aes_cbc
