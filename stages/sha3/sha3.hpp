// Keccak (Bertoni, Daemen, Peeters and Van Assche) with digests of 256 and 512 bits, as an Ethash miner calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sha3/constants.hpp>
#include <span>

namespace sha3 {

constexpr std::size_t lanes = 25;  // of 64 bits, lowest byte first: the state of the sponge
constexpr std::size_t state_bytes = 8 * lanes;
constexpr std::size_t rate256 = 136, rate512 = 72;  // bytes of the state that take a block of the message

struct Message {
  const std::uint8_t* data;  // may be null where size is 0
  std::size_t size;          // bytes
  std::uint8_t* digest;      // room for 32 bytes (hash256) or 64 (hash512)
};

// Contract: writes the digest of every message of the batch: any number of messages, also none, each of any size. Data
// and digests may have any address. A digest may overlap its own message's data in any way (the miner hashes in place),
// but no other data or digest. Messages may share data. No byte outside data is read, and none outside digests is
// written. There is no state between calls, so threads may call at the same time. Cannot fail.
void hash256(std::span<const Message> messages);
void hash512(std::span<const Message> messages);

}  // namespace sha3
