// nettle: assembly for one message, with pairs of lanes in SSE2 registers, which rotate by two shifts and an or.
// standard: fips202
// links: nettle
#include <nettle/sha3.h>

#include "sha3/sha3.hpp"

namespace sha3 {

void hash256(std::span<const Message> messages) {
  sha3_256_ctx sponge;
  sha3_256_init(&sponge);
  for (const Message& message : messages) {
    sha3_256_update(&sponge, message.size, message.data);
    sha3_256_digest(&sponge, SHA3_256_DIGEST_SIZE, message.digest);  // and clears the state
  }
}

void hash512(std::span<const Message> messages) {
  sha3_512_ctx sponge;
  sha3_512_init(&sponge);
  for (const Message& message : messages) {
    sha3_512_update(&sponge, message.size, message.data);
    sha3_512_digest(&sponge, SHA3_512_DIGEST_SIZE, message.digest);
  }
}

}  // namespace sha3
