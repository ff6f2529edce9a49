// AVX2 intrinsics instead of portable vector types: eight blocks in a set.
// requires: x86-64-v3
#include <immintrin.h>

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

constexpr std::size_t lanes = 8;

struct Words {
  __m256i all;
};

Words operator+(Words a, Words b) { return {_mm256_add_epi32(a.all, b.all)}; }
Words operator-(Words a, Words b) { return {_mm256_sub_epi32(a.all, b.all)}; }
Words operator^(Words a, Words b) { return {_mm256_xor_si256(a.all, b.all)}; }
Words operator^(Words a, std::uint32_t b) { return {_mm256_xor_si256(a.all, _mm256_set1_epi32(static_cast<int>(b)))}; }
Words operator<<(Words a, unsigned bits) { return {_mm256_slli_epi32(a.all, bits)}; }
Words operator>>(Words a, unsigned bits) { return {_mm256_srli_epi32(a.all, bits)}; }
Words& operator+=(Words& a, Words b) { return a = a + b; }
Words& operator-=(Words& a, Words b) { return a = a - b; }

template <class Word>
struct Halves {
  Word left, right;  // of a vector: a lane belongs to one block, in the order that the shuffles of load() leave
};

Halves<Words> load(const std::uint64_t* blocks) {
  const __m256 low = _mm256_loadu_ps(reinterpret_cast<const float*>(blocks));
  const __m256 high = _mm256_loadu_ps(reinterpret_cast<const float*>(blocks + lanes / 2));
  return {{_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88))},
          {_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xdd))}};
}

void store(std::uint64_t* blocks, Halves<Words> halves) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(blocks), _mm256_unpacklo_epi32(halves.left.all, halves.right.all));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(blocks + lanes / 2),
                      _mm256_unpackhi_epi32(halves.left.all, halves.right.all));
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
