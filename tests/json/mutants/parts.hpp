// Parts of a correct answer. Each mutant replaces one of them by a wrong one.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "json/json.hpp"

namespace json {

inline std::string escape_of(char c) {
  constexpr char digits[] = "0123456789ABCDEF";
  constexpr std::string_view named = "\"\\\b\t\n\f\r", letters = "\"\\btnfr";
  const std::size_t place = named.find(c);
  if (place != std::string_view::npos) return {'\\', letters[place]};
  if (static_cast<unsigned char>(c) >= 0x20) return {c};
  return {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
}

// Every string is replaced by `escaped` of it.
void write_with(std::string& out, std::span<const Thing> things, auto escaped) {
  out.assign(1, '[');
  for (const Thing& thing : things) {
    if (&thing != things.data()) out += ",";
    out.append("{\"name\":\"").append(escaped(thing.name)).append("\",\"content\":\"");
    out.append(escaped(thing.content)).append("\"}");
  }
  out.push_back(']');
}

// Every byte is replaced by `escape` of it.
void write_bytewise(std::string& out, std::span<const Thing> things, auto escape) {
  write_with(out, things, [&](std::string_view text) {
    std::string result;
    for (const char c : text) result += escape(c);
    return result;
  });
}

}  // namespace json
