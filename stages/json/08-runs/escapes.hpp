// The bytes that need an escape, in a table.
#pragma once

#include <array>

#include "json/json.hpp"

namespace json {

// The letter after the backslash, by byte; 0 for a byte that needs no escape.
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

inline char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

}  // namespace json
