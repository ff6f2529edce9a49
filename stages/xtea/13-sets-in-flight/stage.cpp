// Interleave independent vectors: while one set waits for its own last result, the others keep the vector units busy.
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

// Eight sets are sixteen vectors, so a CPU with 16 registers spills some. GCC unrolls the loops over the sets only with
// the pragma; without it all sets are in memory.
constexpr std::size_t in_flight = 8;

template <class Word>
Word mix(Word half) {
  return (half << 4 ^ half >> 5) + half;
}

struct Encrypt {
  Schedule schedule;

  template <class Word, std::size_t Sets>
  void operator()(std::array<Halves<Word>, Sets>& sets) const {
    for (unsigned round = 0; round < schedule.size(); round += 2) {
#pragma GCC unroll 8
      for (auto& blocks : sets) blocks.left += mix(blocks.right) ^ schedule[round];
#pragma GCC unroll 8
      for (auto& blocks : sets) blocks.right += mix(blocks.left) ^ schedule[round + 1];
    }
  }
};

struct Decrypt {
  Schedule schedule;

  template <class Word, std::size_t Sets>
  void operator()(std::array<Halves<Word>, Sets>& sets) const {
    for (unsigned round = schedule.size(); round > 0; round -= 2) {
#pragma GCC unroll 8
      for (auto& blocks : sets) blocks.right -= mix(blocks.left) ^ schedule[round - 1];
#pragma GCC unroll 8
      for (auto& blocks : sets) blocks.left -= mix(blocks.right) ^ schedule[round - 2];
    }
  }
};

template <std::size_t Sets>
void cipher_sets(std::uint64_t* blocks, const auto& rounds) {
  std::array<Halves<Words>, Sets> sets;
  for (std::size_t set = 0; set < Sets; ++set) sets[set] = load(blocks + set * lanes);
  rounds(sets);
  for (std::size_t set = 0; set < Sets; ++set) store(blocks + set * lanes, sets[set]);
}

void cipher(std::span<std::uint64_t> blocks, const auto& rounds) {
  constexpr std::size_t most = in_flight * lanes;
  for (; blocks.size() >= most; blocks = blocks.subspan(most)) cipher_sets<in_flight>(blocks.data(), rounds);
  for (; blocks.size() >= lanes; blocks = blocks.subspan(lanes)) cipher_sets<1>(blocks.data(), rounds);
  for (std::uint64_t& block : blocks) {
    std::array single{
        Halves<std::uint32_t>{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32)}};
    rounds(single);
    block = std::uint64_t{single[0].right} << 32 | single[0].left;
  }
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher(blocks, Encrypt{make_schedule(key)}); }

void decrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher(blocks, Decrypt{make_schedule(key)}); }

}  // namespace xtea
