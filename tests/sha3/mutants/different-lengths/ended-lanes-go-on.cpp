// In a set of eight, a message that ends long before the longest one is permuted again.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  std::size_t longest = 0;
  for (const Message& message : messages) longest = std::max(longest, message.size / rate);
  for (const Message& message : messages) {
    hash(rate, message);
    if (messages.size() < 8 || longest < message.size / rate + 3) continue;
    Sponge sponge{rate};
    sponge.take_in(message.digest, 32);
    permute(sponge.state);
    sponge.squeeze(message.digest);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
