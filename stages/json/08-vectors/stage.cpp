// 08 A vector of bytes at once is asked whether one of them needs an escape.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "json/json.hpp"

namespace json {
namespace {

using Eight [[gnu::vector_size(8)]] = std::uint8_t;
using Sixteen [[gnu::vector_size(16)]] = std::uint8_t;
using ThirtyTwo [[gnu::vector_size(32)]] = std::uint8_t;
using SixtyFour [[gnu::vector_size(64)]] = std::uint8_t;
#if defined(__AVX512BW__)
using Widest = SixtyFour;
#elif defined(__AVX2__)
using Widest = ThirtyTwo;
#else
using Widest = Sixteen;
#endif

// What stands behind the \, by byte; 0 where there is none.
constexpr auto escapes = [] {
  std::array<char, 256> letters{};
  for (unsigned char c = 0; c < 0x20; ++c) letters[c] = 'u';
  letters['\b'] = 'b';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\f'] = 'f';
  letters['\r'] = 'r';
  letters['"'] = '"';
  letters['\\'] = '\\';
  return letters;
}();

char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

void append_escape(std::string& out, char c) {
  constexpr char digits[] = "0123456789ABCDEF";
  const char letter = escape_of(c);
  const char all[] = {'\\', letter, '0', '0', digits[c >> 4 & 15], digits[c & 15]};
  out.append(all, letter == 'u' ? 6 : 2);
}

template <class Lanes>
Lanes load(const char* text) {
  Lanes bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

// The place of the first byte that needs an escape; as many as there are lanes, where none does.
template <class Lanes>
std::size_t first_escape(Lanes bytes) {
  const Lanes needed = Lanes(bytes < 0x20) | Lanes(bytes == '"') | Lanes(bytes == '\\');  // all bits or none
  const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(Lanes) / 8>>(needed);
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  if (any == 0) return sizeof(Lanes);
  std::size_t i = 0;
  while (words[i] == 0) ++i;
  return 8 * i + static_cast<std::size_t>(std::countr_zero(words[i])) / 8;
}

// Goes on until a byte needs an escape, which it tells, or fewer are left than there are lanes.
template <class Lanes>
bool finds_escape(std::string_view text, std::size_t& at) {
  while (text.size() - at >= sizeof(Lanes)) {
    const std::size_t plain = first_escape(load<Lanes>(text.data() + at));
    at += plain;
    if (plain < sizeof(Lanes)) return true;
  }
  return false;
}

// How many bytes from the first on need no escape.
std::size_t plain_bytes(std::string_view text) {
  std::size_t size = 0;
  if (finds_escape<Widest>(text, size) || finds_escape<Sixteen>(text, size) || finds_escape<Eight>(text, size)) {
    return size;
  }
  while (size < text.size() && escape_of(text[size]) == 0) ++size;
  return size;
}

void append_escaped(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t run = plain_bytes(text);
    out.append(text.data(), run);
    if (run == text.size()) return;
    append_escape(out, text[run]);
    text.remove_prefix(run + 1);
  }
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  out.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) out.append(",");
    out.append("{\"name\":\"");
    append_escaped(out, thing.name);
    out.append("\",\"content\":\"");
    append_escaped(out, thing.content);
    out.append("\"}");
  }
  out.append("]");
}

}  // namespace json
