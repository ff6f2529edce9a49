// AVX-512 intrinsics: sixteen blocks in a set.
// requires: x86-64-v4
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

constexpr std::size_t lanes = 16;

struct Words {
  __m512i all;
};

Words operator+(Words a, Words b) { return {_mm512_add_epi32(a.all, b.all)}; }
Words operator-(Words a, Words b) { return {_mm512_sub_epi32(a.all, b.all)}; }
Words operator^(Words a, Words b) { return {_mm512_xor_si512(a.all, b.all)}; }
Words operator^(Words a, std::uint32_t b) { return {_mm512_xor_si512(a.all, _mm512_set1_epi32(static_cast<int>(b)))}; }
Words operator<<(Words a, unsigned bits) { return {_mm512_slli_epi32(a.all, bits)}; }
Words operator>>(Words a, unsigned bits) { return {_mm512_srli_epi32(a.all, bits)}; }
Words& operator+=(Words& a, Words b) { return a = a + b; }
Words& operator-=(Words& a, Words b) { return a = a - b; }

template <class Word>
struct Halves {
  Word left, right;  // of a vector: a lane belongs to one block, in the order that the shuffles of load() leave
};

Halves<Words> load(const std::uint64_t* blocks) {
  const __m512 low = _mm512_loadu_ps(blocks);
  const __m512 high = _mm512_loadu_ps(blocks + lanes / 2);
  return {{_mm512_castps_si512(_mm512_shuffle_ps(low, high, 0x88))},
          {_mm512_castps_si512(_mm512_shuffle_ps(low, high, 0xdd))}};
}

void store(std::uint64_t* blocks, Halves<Words> halves) {
  _mm512_storeu_si512(blocks, _mm512_unpacklo_epi32(halves.left.all, halves.right.all));
  _mm512_storeu_si512(blocks + lanes / 2, _mm512_unpackhi_epi32(halves.left.all, halves.right.all));
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
