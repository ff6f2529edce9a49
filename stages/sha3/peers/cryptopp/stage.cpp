// Crypto++: portable code for one message, two rounds at a time; the two bytes of the padding are xored into the state
// singly.
// links: libcrypto++
#include <cryptopp/keccak.h>
#include <cryptopp/sha3.h>

#include <type_traits>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

constexpr bool submitted = padding == 0x01;
using Hash256 = std::conditional_t<submitted, CryptoPP::Keccak_256, CryptoPP::SHA3_256>;
using Hash512 = std::conditional_t<submitted, CryptoPP::Keccak_512, CryptoPP::SHA3_512>;

// The object is kept: it clears its state after each digest.
template <class Hash>
void hash(std::span<const Message> messages) {
  thread_local Hash sponge;
  for (const Message& message : messages) {
    sponge.Update(message.data, message.size);
    sponge.Final(message.digest);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash<Hash256>(messages); }

void hash512(std::span<const Message> messages) { hash<Hash512>(messages); }

}  // namespace sha3
