// The tail is read in whole lanes, past the end of the message. The additional bytes are masked.
#include <cstring>

#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  sponge.absorb_blocks(data, size);
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t lane;
    std::memcpy(&lane, data + i, 8);
    if (size - i < 8) lane &= (std::uint64_t{1} << 8 * (size - i)) - 1;
    for (std::size_t j = 0; j < 8; ++j) sponge.bytes()[i + j] ^= static_cast<std::uint8_t>(lane >> 8 * j);
  }
  sponge.pad(size);
  permute(sponge.state);
  sponge.squeeze(message.digest);
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate256, message);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash_wrongly(rate512, message);
}

}  // namespace sha3
