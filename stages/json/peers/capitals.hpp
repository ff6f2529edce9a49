// What libraries need that write the digits of an escape in lower case.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace json {

// Writes \u001f as \u001F. Every \ in a document begins an escape.
inline void capitalise_digits(std::string& text) {
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos; at += 2) {
    if (text[at + 1] != 'u') continue;
    const auto digits = text.begin() + static_cast<std::ptrdiff_t>(at) + 2;
    std::transform(digits, digits + 4, digits, [](unsigned char c) { return std::toupper(c); });
  }
}

}  // namespace json
