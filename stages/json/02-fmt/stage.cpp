// 02 Formatted printing by a library that knows the types of what it prints: {fmt}.
// links: fmt
#include <fmt/format.h>

#include <iterator>

#include "json/json.hpp"

namespace json {
namespace {

std::string escaped(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
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
          result += digits[c >> 4];
          result += digits[c & 15];
        } else {
          result += c;
        }
    }
  }
  return result;
}

constexpr char format[] = R"({{"name":"{}","content":"{}"}})";

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out = '[';
  for (const Thing& thing : things) {
    if (&thing != things.data()) out += ',';
    fmt::format_to(std::back_inserter(out), format, escaped(thing.name), escaped(thing.content));
  }
  out += ']';
}

}  // namespace json
