// What is left over from whole buffers is read from the buffer, too, where older blocks lie.
#include "../packing.hpp"

namespace aes_cbc {
namespace {

void spoil(Text& text, const Job* const* /*group*/, std::size_t /*lane*/) {
  const std::size_t rest = text.size() % packed_bytes;
  std::copy_n(text.end() - static_cast<std::ptrdiff_t>(rest + packed_bytes), rest,
              text.end() - static_cast<std::ptrdiff_t>(rest));
}

}  // namespace
}  // namespace aes_cbc
