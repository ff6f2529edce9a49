// A digest of 256 bits is written with the lane after it.
#include "../sponge.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) {
    Sponge sponge{rate256};
    const std::uint8_t* data = message.data;
    std::size_t size = message.size;
    sponge.absorb_blocks(data, size);
    sponge.take_in(data, size);
    sponge.pad(size);
    permute(sponge.state);
    std::copy_n(sponge.bytes(), 40, message.digest);
  }
}

void hash512(std::span<const Message> messages) { hash(rate512, messages); }

}  // namespace sha3
