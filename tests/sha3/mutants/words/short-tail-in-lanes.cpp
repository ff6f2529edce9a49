// A tail is absorbed in lanes, without the bytes after the last whole lane.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  sponge.absorb_blocks(data, size);
  sponge.take_in(data, size / 8 * 8);
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
