// The kernels for one, four and eight messages, and their choice. `permute` is that of stage lane-type, or a more
// constrained one that was included before.
#pragma once

#include <algorithm>

#include "sha3/15-transpose-digests/squeeze.hpp"
#include "sha3/16-different-lengths/refill.hpp"

namespace sha3 {

using Narrow [[gnu::vector_size(32)]] = Lane;  // a lane of each of four messages
#ifdef __AVX512F__
using Wide [[gnu::vector_size(64)]] = Lane;  // a lane of each of eight messages
#else
using Wide = Narrow;
#endif

#ifdef __AVX512VL__
using One [[gnu::vector_size(16)]] = Lane;  // one lane; the upper half is not used
#else
using One = Lane;
#endif

// Calls `work` with the state in local lanes: vectors with AVX-512, words below.
[[gnu::always_inline]] inline void in_vectors(State<Lane>& state, auto&& work) {
  State<One> a;
#pragma GCC unroll 25
  for (std::size_t i = 0; i < lanes; ++i) a[i] = One{state[i]};
  work(a);
#pragma GCC unroll 25
  for (std::size_t i = 0; i < lanes; ++i) std::memcpy(&state[i], &a[i], 8);
}

// Flattened: without a call of `permute` the lanes are copied once, not twice.
[[gnu::flatten]] inline void permute_one(State<Lane>& state) {
  in_vectors(state, [](State<One>& a) { permute(a); });
}

// Flattened as well, so that no lane leaves its register between two blocks.
template <std::size_t rate>
[[gnu::flatten, gnu::noinline]] void absorb_blocks(State<Lane>& state, const std::uint8_t* in, std::size_t blocks) {
  in_vectors(state, [&](State<One>& a) {
    for (; blocks > 0; in += rate, --blocks) {
#pragma GCC unroll 17
      for (std::size_t i = 0; i < rate / 8; ++i) a[i] ^= One{load(in + 8 * i)};
      permute(a);
    }
  });
}

// Inlined where it is called: with a size that is a constant, all that depends on the size is decided by the compiler.
// Continues from `state`. Reads all of `in` before it writes to `out`.
template <std::size_t rate>
[[gnu::always_inline]] inline void hash(std::uint8_t* out, const std::uint8_t* in, std::size_t in_size,
                                        State<Lane> state = {}) {
  if (const std::size_t blocks = in_size / rate; blocks > 0) {
    absorb_blocks<rate>(state, in, blocks);
    in += blocks * rate;
    in_size %= rate;
  }
  const std::size_t whole = in_size / 8, rest = in_size % 8;
  for (std::size_t i = 0; i < whole; ++i) state[i] ^= load(in + 8 * i);
  if (rest > 0) state[whole] ^= load(in + 8 * whole, rest);
  state[whole] ^= Lane{padding} << 8 * rest;
  state[rate / 8 - 1] ^= Lane{0x80} << 56;
  permute_one(state);
  std::memcpy(out, state.data(), (state_bytes - rate) / 2);
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

// Messages of the same size.
template <std::size_t rate, class Lanes>
void hash_many(const Message* messages) {
  constexpr std::size_t width = sizeof(Lanes) / 8;
  const std::uint8_t* in[width];
  for (std::size_t k = 0; k < width; ++k) in[k] = messages[k].data;
  std::size_t size = messages[0].size;
  State<Lanes> state{};
  for (; size >= rate; size -= rate) {
    absorb(state, in, rate / 8);
    permute(state);
    for (const std::uint8_t*& data : in) data += rate;
  }
  const std::size_t whole = size / 8, rest = size % 8;
  absorb(state, in, whole);
  Lanes last{};
  for (std::size_t k = 0; k < width && rest > 0; ++k) last[k] = load(in[k] + 8 * whole, rest);
  const Lane pad = Lane{padding} << 8 * rest;
  state[whole] ^= last ^ pad;
  state[rate / 8 - 1] ^= Lane{0x80} << 56;
  permute(state);
  squeeze<rate>(state, messages);
}

template <std::size_t rate, class Lanes>
void hash_mixed(std::span<const Message> messages) {
  hash_in_lanes<rate, Lanes>(messages, [](const Message& last, const std::uint8_t* in, std::size_t size, auto state) {
    hash<rate>(last.digest, in, size, state);
  });
}

inline bool same_size(std::span<const Message> messages) {
  return std::all_of(messages.begin(), messages.end(), [&](const Message& m) { return m.size == messages[0].size; });
}

template <std::size_t rate>
void hash_all(std::span<const Message> messages);

template <std::size_t rate, class Lanes>
void hash_in(std::span<const Message> messages) {
  constexpr std::size_t width = sizeof(Lanes) / 8;
  if (messages.size() < width || !same_size(messages)) return hash_mixed<rate, Lanes>(messages);
  for (; messages.size() >= width; messages = messages.subspan(width)) hash_many<rate, Lanes>(messages.data());
  hash_all<rate>(messages);
}

template <std::size_t rate>
void hash_alone(std::span<const Message> messages) {
  for (const Message& message : messages) hash_one<rate>(message);
}

struct Kernel {
  std::size_t most;  // the largest number of messages that it is for
  void (*hash)(std::span<const Message>);
};
template <std::size_t rate>
constexpr Kernel kernels[] = {{1, hash_alone<rate>}, {4, hash_in<rate, Narrow>}, {SIZE_MAX, hash_in<rate, Wide>}};

template <std::size_t rate>
void hash_all(std::span<const Message> messages) {
  const auto* kernel = kernels<rate>;
  while (messages.size() > kernel->most) ++kernel;
  kernel->hash(messages);
}

}  // namespace sha3
