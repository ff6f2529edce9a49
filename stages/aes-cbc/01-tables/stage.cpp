// Look-up tables (T-tables): one look-up does SubBytes, ShiftRows and MixColumns for a byte. Which cache lines a call
// touches depends on key and text, so its time leaks them.
#include <bit>
#include <cstring>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/field.hpp"
#include "common/multibuffer/manager.hpp"

namespace aes_cbc {

namespace {

using Word = std::uint32_t;  // a column, its first row in the lowest byte
using Words = std::array<Word, 4>;
using Tables = std::array<std::array<Word, 256>, 4>;  // one for each row

constexpr Word times(Word byte, unsigned factor) {
  Word sum = 0;
  for (std::uint8_t power = static_cast<std::uint8_t>(byte); factor != 0; factor >>= 1, power = times_2(power)) {
    if (factor & 1) sum ^= power;
  }
  return sum;
}

constexpr Tables make_tables(const std::array<std::uint8_t, 256>& box, unsigned a, unsigned b, unsigned c, unsigned d) {
  Tables tables{};
  for (unsigned i = 0; i < 256; ++i) {
    const Word s = box[i], column = times(s, a) | times(s, b) << 8 | times(s, c) << 16 | times(s, d) << 24;
    for (int row = 0; row < 4; ++row) tables[row][i] = std::rotl(column, 8 * row);
  }
  return tables;
}

constexpr Tables encrypting = make_tables(s_box, 2, 1, 1, 3);
constexpr Tables decrypting = make_tables(inverse_s_box, 14, 9, 13, 11);

Words load(const void* bytes) {
  Words words;
  std::memcpy(&words, bytes, block_bytes);
  return words;
}

void store(std::uint8_t* bytes, const Words& words) { std::memcpy(bytes, &words, block_bytes); }

Words operator^(const Words& a, const Words& b) { return {a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]}; }

unsigned byte(Word word, unsigned row) { return word >> 8 * row & 0xFF; }

// Row r of a column comes from the column r places to the right (`next` 1) or to the left (3).
template <unsigned next>
Words crypt(Words x, const std::array<Block, rounds + 1>& keys, const Tables& tables,
            const std::array<std::uint8_t, 256>& box) {
  x = x ^ load(&keys[0]);
  for (unsigned round = 1; round < rounds; ++round) {
    Words y = load(&keys[round]);
    for (unsigned c = 0; c < 4; ++c) {
      for (unsigned row = 0; row < 4; ++row) y[c] ^= tables[row][byte(x[(c + row * next) % 4], row)];
    }
    x = y;
  }
  Words y = load(&keys[rounds]);
  for (unsigned c = 0; c < 4; ++c) {
    for (unsigned row = 0; row < 4; ++row) y[c] ^= Word{box[byte(x[(c + row * next) % 4], row)]} << 8 * row;
  }
  return y;
}

void encrypt(const Job& job) {
  Words chained = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    chained = crypt<1>(chained ^ load(job.in + i), job.key->encrypting, encrypting, s_box);
    store(job.out + i, chained);
  }
}

void decrypt(const Job& job) {
  Words before = load(job.iv);
  for (std::size_t i = 0; i < job.size; i += block_bytes) {
    const Words ciphered = load(job.in + i);
    store(job.out + i, before ^ crypt<3>(ciphered, job.key->decrypting, decrypting, inverse_s_box));
    before = ciphered;
  }
}

struct Processor {
  void operator()(const Job& job) const { encrypt(job); }
};

}  // namespace

struct Manager : ladder::ImmediateManager<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
