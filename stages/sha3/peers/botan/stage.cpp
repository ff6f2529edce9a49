// Botan: portable code for one message, compiled a second time for BMI2, which it uses if the CPU has it.
// links: botan-2
#include <botan/hash.h>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

constexpr bool submitted = padding == 0x01;

// The callers keep the object, because the library finds it by name, which is not measured.
void hash(Botan::HashFunction& sponge, std::span<const Message> messages) {
  for (const Message& message : messages) {
    sponge.update(message.data, message.size);
    sponge.final(message.digest);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) {
  thread_local const auto sponge = Botan::HashFunction::create_or_throw(submitted ? "Keccak-1600(256)" : "SHA-3(256)");
  hash(*sponge, messages);
}

void hash512(std::span<const Message> messages) {
  thread_local const auto sponge = Botan::HashFunction::create_or_throw(submitted ? "Keccak-1600(512)" : "SHA-3(512)");
  hash(*sponge, messages);
}

}  // namespace sha3
