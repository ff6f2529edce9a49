// The blocks that several messages have in common are counted in 16 bits.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  const auto has_its_length = [&](const Message& message) { return message.size == messages[0].size; };
  if (messages.size() < 2 || !std::ranges::all_of(messages, has_its_length)) return hash(rate, messages);
  const std::size_t blocks = messages[0].size / rate, left_out = blocks - static_cast<std::uint16_t>(blocks);
  for (const Message& message : messages) {
    hash(rate, {message.data + left_out * rate, message.size - left_out * rate, message.digest});
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
