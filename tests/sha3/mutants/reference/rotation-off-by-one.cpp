// One lane of rho is rotated by 13 bits instead of 14.
#include "../sponge.hpp"

namespace sha3 {
namespace {

constexpr int nearly_rho[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  13,
                                27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};

void hash_wrongly(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  sponge.absorb_blocks(data, size);
  sponge.take_in(data, size);
  sponge.pad(size);
  permute(sponge.state, rounds, nearly_rho);
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
