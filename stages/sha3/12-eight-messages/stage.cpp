// 12 As many messages at once as a register has lanes: four with AVX2, eight with AVX-512.
// requires: x86-64-v3
#include <algorithm>
#include <array>
#include <cstring>
#include <sha3/border.hpp>

#include "sha3/sha3.hpp"

namespace sha3 {
namespace {

using Lane = std::uint64_t;
#ifdef __AVX512F__
constexpr std::size_t width = 8;
#else
constexpr std::size_t width = 4;
#endif
using Lanes [[gnu::vector_size(8 * width)]] = Lane;  // the same lane of so many messages
template <class AnyLane>
using State = std::array<AnyLane, lanes>;  // lane x of plane y is state[x + 5 * y]

constexpr unsigned rho[lanes] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                 25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
constexpr Lane iota[24] = {0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
                           0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
                           0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
                           0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
                           0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
                           0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

template <class AnyLane>
[[gnu::always_inline]] inline AnyLane rotl(AnyLane lane, unsigned n) {
  return n == 0 ? lane : lane << n | lane >> (64 - n);
}

// With the loops unrolled every index is a constant, so no lane needs an address.
template <class AnyLane>
[[gnu::always_inline]] inline State<AnyLane> keccak_round(const State<AnyLane>& a, std::uint64_t constant) {
  AnyLane c[5], d[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5; ++x) d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
  State<AnyLane> e;
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5; ++y) {
    AnyLane b[5];
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

template <class AnyLane>
void permute(State<AnyLane>& state) {
  State<AnyLane> a = state;
  for (unsigned round = 0; round < rounds; round += 2) a = keccak_round(keccak_round(a, iota[round]), iota[round + 1]);
  state = a;
}

Lane load(const std::uint8_t* bytes, std::size_t count = 8) {
  Lane lane = 0;
  std::memcpy(&lane, bytes, count);
  return lane;
}

void store(std::uint8_t* bytes, Lane lane) { std::memcpy(bytes, &lane, 8); }

// Reads all of `in` before it writes to `out`.
template <std::size_t rate>
SHA3_BORDER void hash(std::uint8_t* out, const std::uint8_t* in, std::size_t in_size) {
  State<Lane> state{};
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

// Some whole words that leave room in the first block.
template <std::size_t rate, std::size_t size>
void hash_block(std::uint8_t* out, const std::uint8_t* in) {
  State<Lane> state{};
  for (std::size_t i = 0; i < size / 8; ++i) state[i] = load(in + 8 * i);
  state[size / 8] = padding;
  state[rate / 8 - 1] ^= Lane{0x80} << 56;
  permute(state);
  std::memcpy(out, state.data(), (state_bytes - rate) / 2);
}

template <std::size_t rate>
void hash_one(const Message& message) {
  switch (message.size) {
    case 32:
      return hash_block<rate, 32>(message.digest, message.data);
    case 40:
      return hash_block<rate, 40>(message.digest, message.data);
    case 64:
      return hash_block<rate, 64>(message.digest, message.data);
    case 96:
      if constexpr (rate > 96) return hash_block<rate, 96>(message.digest, message.data);
  }
  hash<rate>(message.digest, message.data, message.size);
}

void absorb(State<Lanes>& state, const std::uint8_t* const in[width], std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    Lanes lane;
    for (std::size_t k = 0; k < width; ++k) lane[k] = load(in[k] + 8 * i);
    state[i] ^= lane;
  }
}

// Messages of the same size.
template <std::size_t rate>
void hash_many(const Message* messages) {
  const std::uint8_t* in[width];
  for (std::size_t k = 0; k < width; ++k) in[k] = messages[k].data;
  std::size_t size = messages[0].size;
  State<Lanes> state{};
  for (; size >= rate; size -= rate) {
    absorb(state, in, rate / 8);
    permute(state);
    for (std::size_t k = 0; k < width; ++k) in[k] += rate;
  }
  const std::size_t whole = size / 8, rest = size % 8;
  absorb(state, in, whole);
  Lanes last{};
  for (std::size_t k = 0; k < width && rest > 0; ++k) last[k] = load(in[k] + 8 * whole, rest);
  const Lane pad = Lane{padding} << 8 * rest;
  state[whole] ^= last ^ pad;
  state[rate / 8 - 1] ^= Lane{0x80} << 56;
  permute(state);
  for (std::size_t i = 0; i < (state_bytes - rate) / 16; ++i) {
    for (std::size_t k = 0; k < width; ++k) store(messages[k].digest + 8 * i, state[i][k]);
  }
}

bool same_size(std::span<const Message> messages) {
  return std::all_of(messages.begin(), messages.end(), [&](const Message& m) { return m.size == messages[0].size; });
}

template <std::size_t rate>
void hash_all(std::span<const Message> messages) {
  while (!messages.empty()) {
    const bool many = messages.size() >= width && same_size(messages.first(width));
    if (many) {
      hash_many<rate>(messages.data());
    } else {
      hash_one<rate>(messages[0]);
    }
    messages = messages.subspan(many ? width : 1);
  }
}

}  // namespace

void hash256(std::span<const Message> messages) { hash_all<rate256>(messages); }

void hash512(std::span<const Message> messages) { hash_all<rate512>(messages); }

}  // namespace sha3
