// The 48 rounds of triple DES on bit planes: permutations are names of planes, and S-boxes are Boolean circuits.
#pragma once

#include <utility>

#include "des3-cbc/00-reference/boxes.hpp"
#include "des3-cbc/06-bit-slicing/planes.hpp"
#include "des3-cbc/schedule.hpp"

namespace des3_cbc {

// The planes of a block, or of a key, that hold its bits, counted from 1 at the highest bit of its first byte. Words
// are loaded as they lie in memory: on a little-endian machine the first byte is the lowest.
constexpr unsigned plane_of(unsigned bit) { return (bit - 1) / 8 * 8 + 7 - (bit - 1) % 8; }

// IP: bits 58, 50, ... 2, then 60, 52, ... 4, of which the first half is the left one.
constexpr std::array<std::uint8_t, 64> initial_permutation = [] {
  std::array<std::uint8_t, 64> planes{};
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned first = i < 32 ? 58 + i / 8 * 2 : 57 + (i - 32) / 8 * 2;
    planes[i] = static_cast<std::uint8_t>(plane_of(first - i % 8 * 8));
  }
  return planes;
}();

// Of a DES key's planes, those that the six inputs of each S-box are combined with, in each round.
using RoundPlanes = std::array<std::array<std::uint8_t, 6>, 8>;
constexpr std::array<RoundPlanes, 16> key_planes = [] {
  std::array<RoundPlanes, 16> planes{};
  unsigned shift = 0;
  for (unsigned round = 0; round < 16; ++round) {
    shift += key_shifts[round];
    for (unsigned box = 0; box < 8; ++box) {
      for (unsigned i = 0; i < 6; ++i) {
        const unsigned place = permuted_choice_2[box][i] - 1u, half = place / 28;
        planes[round][box][i] = static_cast<std::uint8_t>(plane_of(permuted_choice_1[half][(place % 28 + shift) % 28]));
      }
    }
  }
  return planes;
}();

// P: the bit of a half that bit i of an S-box's result is combined with, by xor.
constexpr std::array<std::array<std::uint8_t, 4>, 8> result_of = [] {
  std::array<std::array<std::uint8_t, 4>, 8> bits{};
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned from = permutation[bit] - 1u;
    bits[from / 4][from % 4] = static_cast<std::uint8_t>(bit);
  }
  return bits;
}();

template <class Plane>
using Half = std::array<Plane, 32>;

// E: an S-box gets the bit before its four, these, and the bit after them.
template <class Boxes, unsigned box, class Plane>
[[gnu::always_inline]] inline void substitute(Half<Plane>& left, const Half<Plane>& right, const Planes<Plane>& key,
                                              const RoundPlanes& subkey) {
  std::array<Plane, 6> six;
  for (unsigned i = 0; i < 6; ++i) six[i] = right[(4 * box + 31 + i) % 32] ^ key[subkey[box][i]];
  const auto four = Boxes::template substitute<box>(six);
  for (unsigned i = 0; i < 4; ++i) left[result_of[box][i]] ^= four[i];
}

template <class Boxes, class Plane>
[[gnu::always_inline]] inline void round(Half<Plane>& left, const Half<Plane>& right, const Planes<Plane>& key,
                                         const RoundPlanes& subkey) {
  substitute<Boxes, 0>(left, right, key, subkey);
  substitute<Boxes, 1>(left, right, key, subkey);
  substitute<Boxes, 2>(left, right, key, subkey);
  substitute<Boxes, 3>(left, right, key, subkey);
  substitute<Boxes, 4>(left, right, key, subkey);
  substitute<Boxes, 5>(left, right, key, subkey);
  substitute<Boxes, 6>(left, right, key, subkey);
  substitute<Boxes, 7>(left, right, key, subkey);
}

enum class Direction { encrypt, decrypt };

template <class Plane>
using KeyPlanes = std::array<Planes<Plane>, 3>;  // of the key of each DES

// Between one DES and the next, IP and its inverse cancel each other: only the halves change places. The DES in the
// middle goes the other way.
template <class Boxes, Direction direction, class Plane>
[[gnu::noinline]] void cipher(Words<Plane>& blocks, const KeyPlanes<Plane>& keys) {
  constexpr bool decrypts = direction == Direction::decrypt;
  Planes<Plane> planes = planes_of<Plane>(blocks);
  Half<Plane> halves[2], *left = &halves[0], *right = &halves[1];
  for (unsigned i = 0; i < 64; ++i) halves[i / 32][i % 32] = planes[initial_permutation[i]];
  for (unsigned des = 0; des < 3; ++des) {
    const Planes<Plane>& key = keys[decrypts ? 2 - des : des];
    const unsigned reversed = decrypts == (des == 1) ? 0 : 15;  // 15 - i is 15 ^ i
    for (unsigned i = 0; i < 16; i += 2) {
      round<Boxes>(*left, *right, key, key_planes[i ^ reversed]);
      round<Boxes>(*right, *left, key, key_planes[(i + 1) ^ reversed]);
    }
    std::swap(left, right);
  }
  for (unsigned i = 0; i < 32; ++i) {
    planes[initial_permutation[i]] = (*left)[i];
    planes[initial_permutation[i + 32]] = (*right)[i];
  }
  blocks = words_of(planes);
}

}  // namespace des3_cbc
