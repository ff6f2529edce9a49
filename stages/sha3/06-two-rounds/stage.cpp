// Loop unrolling: two rounds an iteration, so no lane is copied from one round to the next.
#include <array>
#include <cstring>
#include <sha3/border.hpp>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

using Lane = std::uint64_t;
using State = std::array<Lane, lanes>;  // lane x of plane y is state[x + 5 * y]

constexpr unsigned rho[lanes] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                 25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
constexpr Lane iota[24] = {0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
                           0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
                           0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
                           0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
                           0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
                           0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

[[gnu::always_inline]] inline Lane rotl(Lane lane, unsigned n) { return n == 0 ? lane : lane << n | lane >> (64 - n); }

// With the loops unrolled every index is a constant, so no lane needs an address.
[[gnu::always_inline]] inline State keccak_round(const State& a, Lane constant) {
  Lane c[5], d[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
  State e;
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5; ++y) {
    Lane b[5];
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) {
      const unsigned from = (x + 3 * y) % 5 + 5 * x;
      b[x] = rotl(a[from] ^ d[from % 5], rho[from]);
    }
#pragma GCC unroll 5
    for (unsigned x = 0; x < 5; ++x) e[x + 5 * y] = b[x] ^ (~b[(x + 1) % 5] & b[(x + 2) % 5]);
  }
  e[0] ^= constant;
  return e;
}

void permute(State& state) {
  State a = state;
  for (unsigned round = 0; round < rounds; round += 2) a = keccak_round(keccak_round(a, iota[round]), iota[round + 1]);
  state = a;
}

Lane load(const std::uint8_t* bytes, std::size_t count = 8) {
  Lane lane = 0;
  std::memcpy(&lane, bytes, count);
  return lane;
}

// Reads all of `in` before it writes to `out`.
template <std::size_t rate>
SHA3_BORDER void hash(std::uint8_t* out, const std::uint8_t* in, std::size_t in_size) {
  State state{};
  for (; in_size >= rate; in += rate, in_size -= rate) {
    for (std::size_t i = 0; i < rate / 8; ++i) state[i] ^= load(in + 8 * i);
    permute(state);
  }
  const std::size_t whole = in_size / 8, rest = in_size % 8;
  for (std::size_t i = 0; i < whole; ++i) state[i] ^= load(in + 8 * i);
  if (rest > 0) state[whole] ^= load(in + 8 * whole, rest);
  state[whole] ^= Lane{padding} << 8 * rest;
  state[rate / 8 - 1] ^= Lane{0x80} << 56;
  permute(state);
  std::memcpy(out, state.data(), (state_bytes - rate) / 2);
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash<rate256>(message.digest, message.data, message.size);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash<rate512>(message.digest, message.data, message.size);
}

}  // namespace sha3
