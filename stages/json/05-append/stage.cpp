// 05 Appended to a string, piece by piece: the document's StringBuilder.
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

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  out.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) out.append(",");
    out.append("{\"name\":\"").append(escaped(thing.name)).append("\",\"content\":\"");
    out.append(escaped(thing.content)).append("\"}");
  }
  out.append("]");
}

}  // namespace json
