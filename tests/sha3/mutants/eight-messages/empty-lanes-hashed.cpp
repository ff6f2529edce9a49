// A batch of five to seven is filled up to eight with the messages that follow in memory.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  const std::size_t count = messages.size() > 4 ? (messages.size() + 7) / 8 * 8 : messages.size();
  hash(rate, {messages.data(), count});
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
