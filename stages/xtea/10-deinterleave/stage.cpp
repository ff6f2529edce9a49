// Deinterleave with shuffles: whole vectors are loaded, and two shuffles split them into left and right halves.
#include <cstring>
#include <utility>

#include "xtea/xtea.hpp"

namespace xtea {
namespace {

using Schedule = std::array<std::uint32_t, 2 * cycles>;  // one word a round

Schedule make_schedule(const Key& key) {
  Schedule schedule;
  std::uint32_t sum = 0;
  for (unsigned round = 0; round < schedule.size(); round += 2) {
    schedule[round] = sum + key[sum & 3];
    sum += delta;
    schedule[round + 1] = sum + key[sum >> 11 & 3];
  }
  return schedule;
}

#if defined(__AVX512F__)
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;  // SSE2, NEON
#endif
using Words = std::uint32_t __attribute__((vector_size(4 * lanes)));

template <class Word>
struct Halves {
  Word left, right;  // of a vector: lane i belongs to block i
};

template <std::size_t... Lane>
Halves<Words> split(Words low, Words high, std::index_sequence<Lane...>) {
  return {__builtin_shufflevector(low, high, (2 * Lane)...), __builtin_shufflevector(low, high, (2 * Lane + 1)...)};
}

template <std::size_t First, std::size_t... Lane>
Words join(Halves<Words> halves, std::index_sequence<Lane...>) {
  return __builtin_shufflevector(halves.left, halves.right, ((First + Lane) / 2 + Lane % 2 * lanes)...);
}

Halves<Words> load(const std::uint64_t* blocks) {
  Words low, high;
  std::memcpy(&low, blocks, sizeof low);
  std::memcpy(&high, blocks + lanes / 2, sizeof high);
  return split(low, high, std::make_index_sequence<lanes>());
}

void store(std::uint64_t* blocks, Halves<Words> halves) {
  const Words low = join<0>(halves, std::make_index_sequence<lanes>());
  const Words high = join<lanes>(halves, std::make_index_sequence<lanes>());
  std::memcpy(blocks, &low, sizeof low);
  std::memcpy(blocks + lanes / 2, &high, sizeof high);
}

template <class Word>
Word mix(Word half) {
  return (half << 4 ^ half >> 5) + half;
}

struct Encrypt {
  Schedule schedule;

  template <class Word>
  void operator()(Halves<Word>& blocks) const {
    for (unsigned round = 0; round < schedule.size(); round += 2) {
      blocks.left += mix(blocks.right) ^ schedule[round];
      blocks.right += mix(blocks.left) ^ schedule[round + 1];
    }
  }
};

struct Decrypt {
  Schedule schedule;

  template <class Word>
  void operator()(Halves<Word>& blocks) const {
    for (unsigned round = schedule.size(); round > 0; round -= 2) {
      blocks.right -= mix(blocks.left) ^ schedule[round - 1];
      blocks.left -= mix(blocks.right) ^ schedule[round - 2];
    }
  }
};

void cipher(std::span<std::uint64_t> blocks, const auto& rounds) {
  for (; blocks.size() >= lanes; blocks = blocks.subspan(lanes)) {
    Halves<Words> set = load(blocks.data());
    rounds(set);
    store(blocks.data(), set);
  }
  for (std::uint64_t& block : blocks) {
    Halves<std::uint32_t> halves{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)};
    rounds(halves);
    block = std::uint64_t{halves.right} << 32 | halves.left;
  }
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher(blocks, Encrypt{make_schedule(key)}); }

void decrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher(blocks, Decrypt{make_schedule(key)}); }

}  // namespace xtea
