// The blocks that several messages have in common are counted in 16 bits.
#include "../lengths.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  messages.size() < 2 ? hash(rate, messages) : hash_with_blocks_in_16_bits(rate, messages);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
