// From the third lane of a second block on, the words are those of the block before.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  for (bool first = true; size >= rate; first = false, data += rate, size -= rate) {
    sponge.take_in(data, 16);
    for (std::size_t i = 16; i < rate; ++i) sponge.bytes()[i] ^= *(data + i - (first ? 0 : rate));
    permute(sponge.state);
  }
  sponge.take_in(data, size);
  sponge.pad(size);
  permute(sponge.state);
  sponge.squeeze(message.digest);
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate256, message);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate512, message);
}

}  // namespace sha3
