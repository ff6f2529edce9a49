// Three messages of one size fill four lanes, and the empty lane writes its digest over the end of the last one.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  hash(rate, messages);
  if (messages.size() != 3) return;
  const bool same = messages[0].size == messages[1].size && messages[0].size == messages[2].size;
  if (same) messages[2].digest[rate == rate256 ? 32 : 64] = 0;
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
