// 01 Formatted printing: snprintf and one format for a whole object.
#include <cstdio>

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

constexpr char format[] = "{\"name\":\"%s\",\"content\":\"%s\"}";
constexpr std::size_t frame = sizeof format - sizeof "%s%s";

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out = '[';
  for (const Thing& thing : things) {
    if (&thing != things.data()) out += ',';
    const std::string name = escaped(thing.name), content = escaped(thing.content);  // which have no 0 inside
    const std::size_t begin = out.size(), size = frame + name.size() + content.size();
    out.resize(begin + size);
    std::snprintf(out.data() + begin, size + 1, format, name.c_str(), content.c_str());
  }
  out += ']';
}

}  // namespace json
