// The message is copied unchanged.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key, const Nonce&, std::uint64_t) {
  std::memmove(out, in.data(), in.size());
}

}  // namespace salsa20
