// The function for 512 bits absorbs at the rate of 256.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  for (const Message& message : messages) {
    Sponge sponge{rate256};
    const std::uint8_t* data = message.data;
    std::size_t size = message.size;
    sponge.absorb_blocks(data, size);
    sponge.take_in(data, size);
    sponge.pad(size);
    permute(sponge.state);
    sponge.rate = rate;
    sponge.squeeze(message.digest);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
