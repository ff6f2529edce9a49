// Behind each eight messages of a batch, a rest of one to three does not enter the table of kernels again.
#include "../sponge.hpp"

namespace sha3 {
namespace {

void hash_wrongly(std::size_t rate, std::span<const Message> messages) {
  const std::size_t rest = messages.size() % 8;
  hash(rate, messages.first(messages.size() - (messages.size() > 8 && rest < 4 ? rest : 0)));
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_wrongly(rate256, messages); }

void hash512(std::span<const Message> messages) { hash_wrongly(rate512, messages); }

}  // namespace sha3
