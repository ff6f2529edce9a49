// A plane in a vector: the state of one message fills five registers, and pi becomes shuffles.
// requires: x86-64-v4
#include <array>
#include <cstring>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

using Lane = std::uint64_t;
using Plane [[gnu::vector_size(64)]] = Lane;  // five lanes; the other three stay empty
using State = std::array<Plane, 5>;

constexpr Plane rho[5] = {
    {0, 1, 62, 28, 27}, {36, 44, 6, 55, 20}, {3, 10, 43, 25, 39}, {41, 45, 15, 21, 8}, {18, 2, 61, 56, 14}};
constexpr Lane iota[24] = {0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
                           0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
                           0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
                           0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
                           0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
                           0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

[[gnu::always_inline]] inline Plane rotl(Plane plane, Plane n) { return plane << n | plane >> (-n & 63); }

// Lane x becomes lane x + n.
template <int n>
[[gnu::always_inline]] inline Plane moved(Plane p) {
  return __builtin_shufflevector(p, p, (5 - n) % 5, (6 - n) % 5, (7 - n) % 5, (8 - n) % 5, (9 - n) % 5, 5, 6, 7);
}

// After pi, lane x of plane y is what was lane x + 3y of plane x.
template <int y>
[[gnu::always_inline]] inline Plane pi_plane(const State& p) {
  constexpr int first = 3 * y % 5;
  Plane e = __builtin_shufflevector(p[0], p[1], first, 8 + (first + 1) % 5, 2, 3, 4, 5, 6, 7);
  e = __builtin_shufflevector(e, p[2], 0, 1, 8 + (first + 2) % 5, 3, 4, 5, 6, 7);
  e = __builtin_shufflevector(e, p[3], 0, 1, 2, 8 + (first + 3) % 5, 4, 5, 6, 7);
  return __builtin_shufflevector(e, p[4], 0, 1, 2, 3, 8 + (first + 4) % 5, 13, 14, 15);
}

[[gnu::always_inline]] inline State keccak_round(State p, Lane constant) {
  const Plane c = p[0] ^ p[1] ^ p[2] ^ p[3] ^ p[4];
  const Plane d = moved<1>(c) ^ rotl(moved<4>(c), Plane{} + 1);
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5; ++y) p[y] = rotl(p[y] ^ d, rho[y]);
  State e{pi_plane<0>(p), pi_plane<1>(p), pi_plane<2>(p), pi_plane<3>(p), pi_plane<4>(p)};
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5; ++y) e[y] ^= ~moved<4>(e[y]) & moved<3>(e[y]);
  e[0] ^= Plane{constant};
  return e;
}

void permute(State& state) {
  State a = state;
  for (unsigned round = 0; round < rounds; ++round) a = keccak_round(a, iota[round]);
  state = a;
}

Lane& lane(State& state, std::size_t i) { return reinterpret_cast<Lane*>(&state[i / 5])[i % 5]; }

template <std::size_t rate>
void squeeze(std::uint8_t* out, State& state) {
  for (std::size_t i = 0; i < (state_bytes - rate) / 16; ++i) std::memcpy(out + 8 * i, &lane(state, i), 8);
}

Lane load(const std::uint8_t* bytes, std::size_t count = 8) {
  Lane lane = 0;
  std::memcpy(&lane, bytes, count);
  return lane;
}

// Inlined where it is called: with a size that is a constant, all that depends on the size is decided by the compiler.
// Reads all of `in` before it writes to `out`.
template <std::size_t rate>
[[gnu::always_inline]] inline void hash(std::uint8_t* out, const std::uint8_t* in, std::size_t in_size) {
  State state{};
  for (; in_size >= rate; in += rate, in_size -= rate) {
    for (std::size_t i = 0; i < rate / 8; ++i) lane(state, i) ^= load(in + 8 * i);
    permute(state);
  }
  const std::size_t whole = in_size / 8, rest = in_size % 8;
  for (std::size_t i = 0; i < whole; ++i) lane(state, i) ^= load(in + 8 * i);
  if (rest > 0) lane(state, whole) ^= load(in + 8 * whole, rest);
  lane(state, whole) ^= Lane{padding} << 8 * rest;
  lane(state, rate / 8 - 1) ^= Lane{0x80} << 56;
  permute(state);
  squeeze<rate>(out, state);
}

// The miner's lengths are constants.
template <std::size_t rate>
void hash_one(const Message& message) {
  switch (message.size) {
    case 32:
      return hash<rate>(message.digest, message.data, 32);
    case 40:
      return hash<rate>(message.digest, message.data, 40);
    case 64:
      return hash<rate>(message.digest, message.data, 64);
    case 96:
      return hash<rate>(message.digest, message.data, 96);
  }
  hash<rate>(message.digest, message.data, message.size);
}

}  // namespace

void hash256(std::span<const Message> messages) {
  for (const Message& message : messages) hash_one<rate256>(message);
}

void hash512(std::span<const Message> messages) {
  for (const Message& message : messages) hash_one<rate512>(message);
}

}  // namespace sha3
