// A message that ends with a block gets no block of its own for the padding.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  if (size == 0 || size % rate != 0) return hash(rate, message);
  for (; size > rate; data += rate, size -= rate) {
    sponge.take_in(data, rate);
    permute(sponge.state);
  }
  sponge.take_in(data, rate);
  sponge.pad(rate - 1);
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
