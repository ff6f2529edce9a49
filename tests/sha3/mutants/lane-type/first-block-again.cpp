// A message of several blocks is read from its beginning for each of them.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  for (const Message& message : messages) {
    Sponge sponge{rate};
    std::size_t size = message.size;
    const std::uint8_t* rest = message.data;
    for (; size >= rate; rest += rate, size -= rate) {
      sponge.take_in(message.data, rate);
      permute(sponge.state);
    }
    sponge.take_in(rest, size);
    sponge.pad(size);
    permute(sponge.state);
    sponge.squeeze(message.digest);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
