// The length that several messages have in common is kept in 16 bits.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  const auto has_its_length = [&](const Message& message) { return message.size == messages[0].size; };
  if (messages.size() < 2 || !std::ranges::all_of(messages, has_its_length)) return hash(rate, messages);
  for (const Message& message : messages) {
    hash(rate, {message.data, static_cast<std::uint16_t>(message.size), message.digest});
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
