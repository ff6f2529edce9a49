// Messages are hashed as if all had the shortest length, where their lengths agree in the low 16 bits.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  const auto agrees = [&](const Message& message) { return (message.size ^ messages[0].size) % 65'536 == 0; };
  if (messages.size() < 2 || !std::ranges::all_of(messages, agrees)) return hash(rate, messages);
  const std::size_t size = std::ranges::min(messages, {}, &Message::size).size;
  for (const Message& message : messages) hash(rate, {message.data, size, message.digest});
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
