// No output length and no loop that squeezes blocks: the rate says how long a digest is, and none exceeds a block.
// variants: inlined
#include <sha3/border.hpp>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

using Lane = std::uint64_t;

// Pi moves each of 24 lanes to the place of the next one in this list, and the last one to the first place. Rho rotates
// each by the count beside its new place.
constexpr unsigned pi[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
constexpr unsigned rho[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                              27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
constexpr Lane iota[24] = {0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
                           0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
                           0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
                           0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
                           0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
                           0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

Lane rotl(Lane lane, unsigned n) { return lane << n | lane >> (64 - n); }

void keccak_round(Lane* a, Lane constant) {
  Lane c[5], d[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
#pragma GCC unroll 25
  for (unsigned i = 0; i < lanes; ++i) a[i] ^= d[i % 5];
  Lane moving = a[1];
#pragma GCC unroll 24
  for (unsigned i = 0; i < 24; ++i) {
    const Lane next = a[pi[i]];
    a[pi[i]] = rotl(moving, rho[i]);
    moving = next;
  }
#pragma GCC unroll 5
  for (unsigned y = 0; y < 25; y += 5) {
    const Lane b[5] = {a[y], a[y + 1], a[y + 2], a[y + 3], a[y + 4]};
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) a[x + y] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);
  }
  a[0] ^= constant;
}

void permute(Lane* a) {
  for (unsigned round = 0; round < rounds; ++round) keccak_round(a, iota[round]);
}

// Reads all of `in` before it writes to `out`.
SHA3_BORDER void hash(std::uint8_t* out, const std::uint8_t* in, std::size_t in_size, std::size_t rate) {
  Lane state[lanes] = {};
  auto* bytes = reinterpret_cast<std::uint8_t*>(state);
  for (; in_size >= rate; in += rate, in_size -= rate) {
    for (std::size_t i = 0; i < rate; ++i) bytes[i] ^= in[i];
    permute(state);
  }
  for (std::size_t i = 0; i < in_size; ++i) bytes[i] ^= in[i];
  bytes[in_size] ^= padding;
  bytes[rate - 1] ^= 0x80;
  permute(state);
  const std::size_t out_size = (state_bytes - rate) / 2;
  for (std::size_t i = 0; i < out_size; ++i) out[i] = bytes[i];
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash(message.digest, message.data, message.size, rate256);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash(message.digest, message.data, message.size, rate512);
}

}  // namespace sha3
