// Where a vector has an escape, the end does not move by the plain bytes before it: the escape overwrites them.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    while (!text.empty()) {
      const std::string_view bytes = text.substr(0, 16);
      std::size_t plain = 0;
      while (plain < bytes.size() && escape_of(bytes[plain]).size() == 1) ++plain;
      const bool escapes = bytes.size() == 16 && plain < bytes.size();
      if (!escapes) result += bytes.substr(0, plain);
      if (plain < bytes.size()) result += escape_of(bytes[plain++]);
      text.remove_prefix(plain);
    }
    return result;
  });
}

}  // namespace json
