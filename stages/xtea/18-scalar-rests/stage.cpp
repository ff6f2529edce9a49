// Scalar rounds for up to seven blocks, also for those that are left after whole groups.
#include <algorithm>
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

  static void few(auto& blocks, const Key& key) {
    std::uint32_t sum = 0;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
#pragma GCC unroll 8
      for (auto& block : blocks) block.left += mix(block.right) ^ (sum + key[sum & 3]);
      sum += delta;
#pragma GCC unroll 8
      for (auto& block : blocks) block.right += mix(block.left) ^ (sum + key[sum >> 11 & 3]);
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

  static void few(auto& blocks, const Key& key) {
    std::uint32_t sum = delta * cycles;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
#pragma GCC unroll 8
      for (auto& block : blocks) block.right -= mix(block.left) ^ (sum + key[sum >> 11 & 3]);
      sum -= delta;
#pragma GCC unroll 8
      for (auto& block : blocks) block.left -= mix(block.right) ^ (sum + key[sum & 3]);
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

template <std::size_t Sets>
void cipher_rest(std::span<std::uint64_t> rest, const auto& rounds) {
  if constexpr (Sets > 1) {
    if (rest.size() <= (Sets - 1) * lanes) return cipher_rest<Sets - 1>(rest, rounds);
  }
  std::array<Halves<Words>, Sets> sets;
  const std::span last = rest.subspan((Sets - 1) * lanes);
  std::array<std::uint64_t, lanes> padded{};
  std::copy(last.begin(), last.end(), padded.begin());
  for (std::size_t set = 0; set < Sets - 1; ++set) sets[set] = load(rest.data() + set * lanes);
  sets[Sets - 1] = load(padded.data());
  rounds(sets);
  for (std::size_t set = 0; set < Sets - 1; ++set) store(rest.data() + set * lanes, sets[set]);
  store(padded.data(), sets[Sets - 1]);
  std::copy_n(padded.begin(), last.size(), last.begin());
}

// Not inlined: otherwise every small message would save the registers that only large ones need.
template <class Rounds, std::size_t Count>
[[gnu::noinline]] void cipher_few(std::span<std::uint64_t> blocks, const Key& key) {
  if constexpr (Count > 1) {
    if (blocks.size() < Count) return cipher_few<Rounds, Count - 1>(blocks, key);
  }
  std::array<Halves<std::uint32_t>, Count> few;
  for (std::size_t i = 0; i < Count; ++i) {
    few[i] = {static_cast<std::uint32_t>(blocks[i]), static_cast<std::uint32_t>(blocks[i] >> 32)};
  }
  Rounds::few(few, key);
  for (std::size_t i = 0; i < Count; ++i) blocks[i] = std::uint64_t{few[i].right} << 32 | few[i].left;
}

// Up to `few` blocks, scalar rounds should take less time than a set of vectors: see the model in notes.md.
constexpr std::size_t few = 7;

template <class Rounds>
void cipher(std::span<std::uint64_t> blocks, const Key& key) {
  if (blocks.size() > few) {
    constexpr std::size_t most = in_flight * lanes;
    const Rounds rounds{make_schedule(key)};
    for (; blocks.size() >= most; blocks = blocks.subspan(most)) cipher_sets<in_flight>(blocks.data(), rounds);
    if (blocks.size() > few) return cipher_rest<in_flight>(blocks, rounds);
  }
  if (!blocks.empty()) cipher_few<Rounds, few>(blocks, key);
}

}  // namespace

void encrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher<Encrypt>(blocks, key); }

void decrypt(std::span<std::uint64_t> blocks, const Key& key) { cipher<Decrypt>(blocks, key); }

}  // namespace xtea
