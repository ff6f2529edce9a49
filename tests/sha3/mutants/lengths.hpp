// For mutants that take lengths for equal which agree in some of their bits.
#pragma once

#include "sponge.hpp"

namespace sha3 {

// Batches of at least so many messages whose lengths agree modulo `modulus` are hashed as if all had the shortest.
inline void hash_as_equal(std::size_t rate, std::span<const Message> messages, std::size_t least, std::size_t modulus) {
  const auto agrees = [&](const Message& message) { return message.size % modulus == messages[0].size % modulus; };
  if (messages.size() < least || !std::ranges::all_of(messages, agrees)) return hash(rate, messages);
  const std::size_t size = std::ranges::min(messages, {}, &Message::size).size;
  for (const Message& message : messages) hash(rate, {message.data, size, message.digest});
}

}  // namespace sha3
