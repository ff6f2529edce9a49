// A message that is longer than the miner's 32 bytes is hashed as one of 40.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  std::array<std::uint8_t, 40> longer{};
  if (message.size <= 32 || message.size >= longer.size()) return hash(rate, message);
  std::copy_n(message.data, message.size, longer.data());
  hash(rate, {longer.data(), longer.size(), message.digest});
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate256, message);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate512, message);
}

}  // namespace sha3
