// From the second block on, the last lane of a block is not added to the state.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  for (bool first = true; size >= rate; first = false, data += rate, size -= rate) {
    sponge.take_in(data, first ? rate : rate - 8);
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
