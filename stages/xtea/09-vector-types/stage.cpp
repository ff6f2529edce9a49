// Vector types of the compiler: one vector of left halves and one of right halves go through all rounds.
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

Halves<Words> load(const std::uint64_t* blocks) {
  Halves<Words> halves;
  for (std::size_t i = 0; i < lanes; ++i) halves.left[i] = static_cast<std::uint32_t>(blocks[i]);
  for (std::size_t i = 0; i < lanes; ++i) halves.right[i] = static_cast<std::uint32_t>(blocks[i] >> 32);
  return halves;
}

void store(std::uint64_t* blocks, const Halves<Words>& halves) {
  for (std::size_t i = 0; i < lanes; ++i) blocks[i] = std::uint64_t{halves.right[i]} << 32 | halves.left[i];
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
