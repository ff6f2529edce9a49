// Two messages of every full set of four get each other's digest.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    Message message = messages[i];
    const bool full = i / 4 * 4 + 4 <= messages.size();
    if (full && i % 4 == 1) message.digest = messages[i + 1].digest;
    if (full && i % 4 == 2) message.digest = messages[i - 1].digest;
    hash(rate, message);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
