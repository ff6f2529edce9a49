#include "oracle.hpp"

#include <algorithm>
#include <array>

#include "common/places.hpp"
#include "des3-cbc/peers/with_cipher.hpp"

namespace des3_cbc::oracle {
namespace {

// Tables of the standard, as they are printed there: each entry is the place of a bit, counted from 1.
constexpr int IP[] = {58, 50, 42, 34, 26, 18, 10, 2,  //
                      60, 52, 44, 36, 28, 20, 12, 4,  //
                      62, 54, 46, 38, 30, 22, 14, 6,  //
                      64, 56, 48, 40, 32, 24, 16, 8,  //
                      57, 49, 41, 33, 25, 17, 9,  1,  //
                      59, 51, 43, 35, 27, 19, 11, 3,  //
                      61, 53, 45, 37, 29, 21, 13, 5,  //
                      63, 55, 47, 39, 31, 23, 15, 7};

constexpr int IP_inverse[] = {40, 8, 48, 16, 56, 24, 64, 32,  //
                              39, 7, 47, 15, 55, 23, 63, 31,  //
                              38, 6, 46, 14, 54, 22, 62, 30,  //
                              37, 5, 45, 13, 53, 21, 61, 29,  //
                              36, 4, 44, 12, 52, 20, 60, 28,  //
                              35, 3, 43, 11, 51, 19, 59, 27,  //
                              34, 2, 42, 10, 50, 18, 58, 26,  //
                              33, 1, 41, 9,  49, 17, 57, 25};

constexpr int E[] = {32, 1,  2,  3,  4,  5,   //
                     4,  5,  6,  7,  8,  9,   //
                     8,  9,  10, 11, 12, 13,  //
                     12, 13, 14, 15, 16, 17,  //
                     16, 17, 18, 19, 20, 21,  //
                     20, 21, 22, 23, 24, 25,  //
                     24, 25, 26, 27, 28, 29,  //
                     28, 29, 30, 31, 32, 1};

constexpr int P[] = {16, 7,  20, 21,  //
                     29, 12, 28, 17,  //
                     1,  15, 23, 26,  //
                     5,  18, 31, 10,  //
                     2,  8,  24, 14,  //
                     32, 27, 3,  9,   //
                     19, 13, 30, 6,   //
                     22, 11, 4,  25};

constexpr int PC1[] = {57, 49, 41, 33, 25, 17, 9,   //
                       1,  58, 50, 42, 34, 26, 18,  //
                       10, 2,  59, 51, 43, 35, 27,  //
                       19, 11, 3,  60, 52, 44, 36,  //
                       63, 55, 47, 39, 31, 23, 15,  //
                       7,  62, 54, 46, 38, 30, 22,  //
                       14, 6,  61, 53, 45, 37, 29,  //
                       21, 13, 5,  28, 20, 12, 4};

constexpr int PC2[] = {14, 17, 11, 24, 1,  5,   //
                       3,  28, 15, 6,  21, 10,  //
                       23, 19, 12, 4,  26, 8,   //
                       16, 7,  27, 20, 13, 2,   //
                       41, 52, 31, 37, 47, 55,  //
                       30, 40, 51, 45, 33, 48,  //
                       44, 49, 39, 56, 34, 53,  //
                       46, 42, 50, 36, 29, 32};

constexpr int left_shifts[] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};

constexpr int S[8][4][16] = {{{14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7},
                              {0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8},
                              {4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0},
                              {15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13}},
                             {{15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10},
                              {3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5},
                              {0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15},
                              {13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9}},
                             {{10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8},
                              {13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1},
                              {13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7},
                              {1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12}},
                             {{7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15},
                              {13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9},
                              {10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4},
                              {3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14}},
                             {{2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9},
                              {14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6},
                              {4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14},
                              {11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3}},
                             {{12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11},
                              {10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8},
                              {9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6},
                              {4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13}},
                             {{4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1},
                              {13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6},
                              {1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2},
                              {6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12}},
                             {{13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7},
                              {1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2},
                              {7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8},
                              {2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11}}};

// The bits of `word`, which has `width`, that `table` names, in its order.
template <std::size_t size>
std::uint64_t selected(std::uint64_t word, int width, const int (&table)[size]) {
  std::uint64_t bits = 0;
  for (const int place : table) bits = 2 * bits + (word >> (width - place)) % 2;
  return bits;
}

using Keys = std::array<std::uint64_t, 16>;  // of 48 bits

Keys schedule(std::uint64_t key) {
  constexpr std::uint64_t half = std::uint64_t{1} << 28;
  const std::uint64_t chosen = selected(key, 64, PC1);
  std::uint64_t C = chosen / half, D = chosen % half;
  Keys keys;
  for (std::size_t n = 0; n < 16; ++n) {
    for (int shift = 0; shift < left_shifts[n]; ++shift) {
      C = 2 * C % half + 2 * C / half;
      D = 2 * D % half + 2 * D / half;
    }
    keys[n] = selected(C * half + D, 56, PC2);
  }
  return keys;
}

std::uint64_t f(std::uint64_t R, std::uint64_t K) {
  const std::uint64_t B = selected(R, 32, E) ^ K;
  std::uint64_t result = 0;
  for (int i = 0; i < 8; ++i) {
    const std::uint64_t six = B >> (42 - 6 * i) & 0b111111;
    const std::uint64_t row = six >> 5 << 1 | (six & 1), column = six >> 1 & 0b1111;
    result = 16 * result + static_cast<std::uint64_t>(S[i][row][column]);
  }
  return selected(result, 32, P);
}

std::uint64_t des(std::uint64_t block, const Keys& keys, Direction direction) {
  block = selected(block, 64, IP);
  std::uint64_t L = block >> 32, R = block & 0xFFFFFFFF;
  for (std::size_t n = 0; n < 16; ++n) {
    const std::uint64_t next = L ^ f(R, keys[direction == Direction::encrypt ? n : 15 - n]);
    L = R;
    R = next;
  }
  return selected(R << 32 | L, 64, IP_inverse);
}

std::uint64_t word_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = 256 * word + bytes[i];
  return word;
}

void append(Bytes& bytes, std::uint64_t word) {
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (56 - 8 * i)));
}

}  // namespace

std::uint64_t des(std::uint64_t block, std::uint64_t key, Direction direction) {
  return des(block, schedule(key), direction);
}

Bytes encrypt(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> key,
              std::span<const std::uint8_t> iv) {
  if (!with_cipher) return {bytes.begin(), bytes.end()};
  const Keys k1 = schedule(word_of(key)), k2 = schedule(word_of(key.subspan(8))),
             k3 = schedule(word_of(key.subspan(16)));
  Bytes result;
  std::uint64_t before = word_of(iv);
  for (; !bytes.empty(); bytes = bytes.subspan(8)) {
    const std::uint64_t once = des(word_of(bytes) ^ before, k1, Direction::encrypt);
    before = des(des(once, k2, Direction::decrypt), k3, Direction::encrypt);
    append(result, before);
  }
  return result;
}

Bytes decrypt(std::span<const std::uint8_t> bytes, std::span<const std::uint8_t> key,
              std::span<const std::uint8_t> iv) {
  if (!with_cipher) return {bytes.begin(), bytes.end()};
  const Keys k1 = schedule(word_of(key)), k2 = schedule(word_of(key.subspan(8))),
             k3 = schedule(word_of(key.subspan(16)));
  Bytes result;
  std::uint64_t before = word_of(iv);
  for (; !bytes.empty(); bytes = bytes.subspan(8)) {
    const std::uint64_t once = des(word_of(bytes), k3, Direction::decrypt);
    append(result, des(des(once, k2, Direction::encrypt), k1, Direction::decrypt) ^ before);
    before = word_of(bytes);
  }
  return result;
}

std::string difference(std::span<const Job> jobs, Cipher cipher, std::size_t calls, std::size_t places) {
  if (calls == 0) return {};
  for (const std::size_t i : ladder::drawn(jobs.size(), places)) {
    const Job& job = jobs[i];
    const Bytes expected = cipher({job.in, job.size}, job.key->bytes, {job.iv, block_bytes});
    if (std::equal(expected.begin(), expected.end(), job.out)) continue;
    return "buffer " + std::to_string(i) + " of " + std::to_string(jobs.size()) +
           " is not what the oracle gives in call " + std::to_string(calls);
  }
  return {};
}

}  // namespace des3_cbc::oracle
