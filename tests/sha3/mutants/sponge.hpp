// A correct sponge, in parts, for mutants that use it wrongly.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sha3/sha3.hpp"

namespace sha3 {

inline constexpr int rho[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};

using State = std::array<std::uint64_t, lanes>;

inline void theta(State& a) {
  std::uint64_t c[5];
  for (unsigned x = 0; x < 5; ++x) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  for (unsigned i = 0; i < 25; ++i) a[i] ^= c[(i + 4) % 5] ^ std::rotl(c[(i + 1) % 5], 1);
}

inline void rho_pi(State& a, const int (&rotations)[24] = rho) {
  unsigned x = 1, y = 0;
  std::uint64_t moved = a[1];
  for (const int rotation : rotations) {
    const unsigned next_y = (2 * x + 3 * y) % 5;
    x = y;
    y = next_y;
    moved = std::exchange(a[x + 5 * y], std::rotl(moved, rotation));
  }
}

inline void chi(State& a) {
  for (unsigned row = 0; row < 25; row += 5) {
    std::uint64_t c[5];
    std::copy_n(a.data() + row, 5, c);
    for (unsigned i = 0; i < 5; ++i) a[row + i] = c[i] ^ (~c[(i + 1) % 5] & c[(i + 2) % 5]);
  }
}

// The constant of a round comes from a shift register, which goes on from the round before.
inline void iota(State& a, unsigned& shift_register) {
  for (unsigned bit = 1; bit <= 64; bit *= 2) {
    if (shift_register % 2 == 1) a[0] ^= std::uint64_t{1} << (bit - 1);
    shift_register = shift_register << 1 ^ (shift_register >> 7) * 0x171;
  }
}

inline void permute(State& a, unsigned count = rounds, const int (&rotations)[24] = rho) {
  unsigned shift_register = 1;
  for (unsigned round = 0; round < count; ++round) {
    theta(a);
    rho_pi(a, rotations);
    chi(a);
    iota(a, shift_register);
  }
}

struct Sponge {
  std::size_t rate;
  State state{};

  std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(state.data()); }

  void take_in(const std::uint8_t* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes()[i] ^= data[i];
  }

  // All whole blocks; what is left is the tail.
  void absorb_blocks(const std::uint8_t*& data, std::size_t& size) {
    for (; size >= rate; data += rate, size -= rate) {
      take_in(data, rate);
      permute(state);
    }
  }

  void pad(std::size_t size) {
    bytes()[size] ^= padding;
    bytes()[rate - 1] ^= 0x80;
  }

  void squeeze(std::uint8_t* digest) { std::copy_n(bytes(), rate == rate256 ? 32 : 64, digest); }
};

inline void hash(std::size_t rate, const Message& message) {
  Sponge sponge{rate};
  const std::uint8_t* data = message.data;
  std::size_t size = message.size;
  sponge.absorb_blocks(data, size);
  sponge.take_in(data, size);
  sponge.pad(size);
  permute(sponge.state);
  sponge.squeeze(message.digest);
}

inline void hash(std::size_t rate, std::span<const Message> messages) {
  for (const Message& message : messages) hash(rate, message);
}

}  // namespace sha3
