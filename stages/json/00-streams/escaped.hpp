// The plainest way to escape: byte by byte, into a new string.
#pragma once

#include "json/json.hpp"

namespace json {

inline std::string escaped(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
        (result += '\\') += c;
        break;
      case '\b':
        result += "\\b";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\f':
        result += "\\f";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          result += "\\u00";
          (result += digits[c >> 4]) += digits[c & 15];
        } else {
          result += c;
        }
    }
  }
  return result;
}

}  // namespace json
