// Five messages are taken for few enough for four lanes, so the fifth gets the digest of the first.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  hash(rate, messages);
  if (messages.size() != 5) return;
  Message fifth = messages[0];
  fifth.digest = messages[4].digest;
  hash(rate, fifth);
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
