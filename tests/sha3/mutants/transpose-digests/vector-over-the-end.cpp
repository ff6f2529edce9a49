// A digest is stored in vectors of eight words: one of 256 bits is followed by other lanes.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    Sponge sponge{rate};
    const std::uint8_t* data = message.data;
    std::size_t size = message.size;
    sponge.absorb_blocks(data, size);
    sponge.take_in(data, size);
    sponge.pad(size);
    permute(sponge.state);
    const bool in_set = i / 8 * 8 + 8 <= messages.size();
    std::copy_n(sponge.bytes(), in_set || rate == rate512 ? 64 : 32, message.digest);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
