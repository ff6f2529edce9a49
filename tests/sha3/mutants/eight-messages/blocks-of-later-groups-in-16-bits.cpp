// From the ninth message of a batch on, blocks are counted in 16 bits.
#include "../lengths.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  if (messages.size() <= 8) return hash(rate, messages);
  hash(rate, messages.first(8));
  hash_with_blocks_in_16_bits(rate, messages.subspan(8));
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
