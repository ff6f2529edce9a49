#include "oracle.hpp"

#include <algorithm>
#include <array>

#include "aes-cbc/constants.hpp"
#include "aes-cbc/peers/with_cipher.hpp"
#include "common/places.hpp"

namespace aes_cbc::oracle {
namespace {

using Byte = std::uint8_t;
using State = std::array<std::array<Byte, 4>, 4>;  // [column][row]
using Table = std::array<Byte, 256>;

// FIPS 197, section 4.2: multiplication modulo x^8 + x^4 + x^3 + x + 1.
constexpr Byte product(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) sum ^= a;
    a <<= 1;
    if (a & 0x100) a ^= 0x11b;
  }
  return static_cast<Byte>(sum);
}

Table multiples_of(unsigned factor) {
  Table table;
  for (unsigned a = 0; a < 256; ++a) table[a] = product(a, factor);
  return table;
}

// Section 5.1.1: the inverse in the field, a^254, and an affine transformation of its bits.
Table make_s_box() {
  Table table;
  for (unsigned a = 0; a < 256; ++a) {
    unsigned inverse = 1;
    for (int i = 0; i < 254; ++i) inverse = product(inverse, a);
    unsigned bits = 0x63;
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned bit = (inverse >> i) ^ (inverse >> (i + 4) % 8) ^ (inverse >> (i + 5) % 8) ^
                           (inverse >> (i + 6) % 8) ^ (inverse >> (i + 7) % 8);
      bits ^= (bit & 1) << i;
    }
    table[a] = static_cast<Byte>(bits);
  }
  return table;
}

Table inverted(const Table& table) {
  Table inverse;
  for (unsigned a = 0; a < 256; ++a) inverse[table[a]] = static_cast<Byte>(a);
  return inverse;
}

const Table s_box = make_s_box(), inverse_s_box = inverted(s_box);
const std::array<Table, 4> matrix{multiples_of(2), multiples_of(3), multiples_of(1), multiples_of(1)};
const std::array<Table, 4> inverse_matrix{multiples_of(14), multiples_of(11), multiples_of(13), multiples_of(9)};

// Section 5.2: words 0 to 43; column c of round r is word 4 r + c.
using Schedule = std::array<std::array<Byte, 4>, 44>;

Schedule expanded(View key) {
  Schedule w;
  Byte constant = 1;
  for (std::size_t i = 0; i < 44; ++i) {
    for (std::size_t row = 0; row < 4; ++row) {
      if (i < 4) {
        w[i][row] = key[4 * i + row];
        continue;
      }
      w[i][row] = w[i - 1][row];
      if (i % 4 == 0) w[i][row] = s_box[w[i - 1][(row + 1) % 4]];
      w[i][row] ^= w[i - 4][row];
    }
    if (i >= 4 && i % 4 == 0) {
      w[i][0] ^= constant;
      constant = product(constant, 2);
    }
  }
  return w;
}

void add_round_key(State& state, const Schedule& w, std::size_t round) {
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t row = 0; row < 4; ++row) state[c][row] ^= w[4 * round + c][row];
  }
}

void substitute(State& state, const Table& box) {
  for (auto& column : state) {
    for (Byte& byte : column) byte = box[byte];
  }
}

// Row r moves r columns to the left, or with 4 - r (`back`) to the right.
void shift_rows(State& state, bool back) {
  const State from = state;
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t row = 0; row < 4; ++row) state[c][row] = from[(c + (back ? 4 - row : row)) % 4][row];
  }
}

void mix_columns(State& state, const std::array<Table, 4>& by) {
  for (auto& column : state) {
    const auto from = column;
    for (std::size_t row = 0; row < 4; ++row) {
      column[row] =
          by[0][from[row]] ^ by[1][from[(row + 1) % 4]] ^ by[2][from[(row + 2) % 4]] ^ by[3][from[(row + 3) % 4]];
    }
  }
}

// Section 5.1.
void cipher(State& state, const Schedule& w) {
  if (!with_kernel) return;
  add_round_key(state, w, 0);
  for (std::size_t round = 1; round <= 10; ++round) {
    substitute(state, s_box);
    shift_rows(state, false);
    if (round != 10) mix_columns(state, matrix);
    add_round_key(state, w, round);
  }
}

// Section 5.3, the straightforward inverse.
void inverse_cipher(State& state, const Schedule& w) {
  if (!with_kernel) return;
  add_round_key(state, w, 10);
  for (std::size_t round = 10; round-- > 0;) {
    shift_rows(state, true);
    substitute(state, inverse_s_box);
    add_round_key(state, w, round);
    if (round != 0) mix_columns(state, inverse_matrix);
  }
}

State state_of(View bytes) {
  State state;
  for (std::size_t i = 0; i < 16; ++i) state[i / 4][i % 4] = bytes[i];
  return state;
}

}  // namespace

// SP 800-38A, section 6.2.
Bytes encrypt(View key, View iv, View text) {
  if (!with_cipher) return {text.begin(), text.end()};
  const Schedule w = expanded(key);
  Bytes out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); at += 16) {
    const View before = at == 0 ? iv : View(out).subspan(at - 16, 16);
    State state = state_of(text.subspan(at, 16));
    for (std::size_t i = 0; i < 16; ++i) state[i / 4][i % 4] ^= before[i];
    cipher(state, w);
    for (std::size_t i = 0; i < 16; ++i) out.push_back(state[i / 4][i % 4]);
  }
  return out;
}

Bytes decrypt(View key, View iv, View text) {
  if (!with_cipher) return {text.begin(), text.end()};
  const Schedule w = expanded(key);
  Bytes out;
  for (std::size_t at = 0; at < text.size(); at += 16) {
    State state = state_of(text.subspan(at, 16));
    inverse_cipher(state, w);
    const View before = at == 0 ? iv : text.subspan(at - 16, 16);
    for (std::size_t i = 0; i < 16; ++i) out.push_back(state[i / 4][i % 4] ^ before[i]);
  }
  return out;
}

std::string difference(std::span<const Ciphered> buffers, Cipher cipher, std::size_t calls, std::size_t places) {
  if (calls == 0) return {};
  for (const std::size_t i : ladder::drawn(buffers.size(), places)) {
    const auto& [key, iv, in, out] = buffers[i];
    if (std::ranges::equal(cipher(key, iv, in), out)) continue;
    return "buffer " + std::to_string(i) + " of " + std::to_string(buffers.size()) + " (" + std::to_string(in.size()) +
           " bytes) is not what the oracle gives in call " + std::to_string(calls);
  }
  return {};
}

}  // namespace aes_cbc::oracle
