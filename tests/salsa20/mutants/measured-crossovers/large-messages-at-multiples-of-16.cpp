// A message of 4 KiB or more is written from the multiple of 16 bytes at or below its address.
#include "../blocks.hpp"

namespace salsa20 {

void crypt(std::uint8_t* out, std::span<const std::uint8_t> in, Key key, const Nonce& nonce, std::uint64_t counter) {
  if (in.size() >= 4'096) out -= reinterpret_cast<std::uintptr_t>(out) % 16;
  crypt_blocks(out, in, [&](std::size_t block) { return key_stream(state_of(key, nonce, counter + block)); });
}

}  // namespace salsa20
