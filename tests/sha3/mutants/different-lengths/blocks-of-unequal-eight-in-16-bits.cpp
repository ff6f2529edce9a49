// In batches of five to eight messages of unequal lengths, the blocks of each are counted in 16 bits.
#include "../lengths.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  const auto has_its_length = [&](const Message& message) { return message.size == messages[0].size; };
  if (messages.size() < 5 || messages.size() > 8 || std::ranges::all_of(messages, has_its_length)) {
    return hash(rate, messages);
  }
  for (const Message& message : messages) hash_with_blocks_in_16_bits(rate, {&message, 1});
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
