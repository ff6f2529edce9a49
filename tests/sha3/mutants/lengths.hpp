// For mutants that count lengths in too few bits.
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

// The blocks that messages of one length have in common are counted in 16 bits.
inline void hash_with_blocks_in_16_bits(std::size_t rate, std::span<const Message> messages) {
  const auto has_its_length = [&](const Message& message) { return message.size == messages[0].size; };
  if (!std::ranges::all_of(messages, has_its_length)) return hash(rate, messages);
  const std::size_t blocks = messages[0].size / rate, left_out = blocks - static_cast<std::uint16_t>(blocks);
  for (const Message& message : messages) {
    hash(rate, {message.data + left_out * rate, message.size - left_out * rate, message.digest});
  }
}

}  // namespace sha3
