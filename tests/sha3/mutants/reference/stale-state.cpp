// The state of the message before is not cleared: only the first digest is right.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  thread_local State left{};
  Sponge sponge{rate, left};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  sponge.absorb_blocks(data, size);
  sponge.take_in(data, size);
  sponge.pad(size);
  permute(sponge.state);
  sponge.squeeze(message.digest);
  left = sponge.state;
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate256, message);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate512, message);
}

}  // namespace sha3
