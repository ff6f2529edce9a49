// Of a vector of 32 bytes, the mask has the lower sixteen lanes alone: no escape is seen in the upper ones.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (; text.size() >= 32; text.remove_prefix(32)) {
      for (const char c : text.substr(0, 16)) result += escape_of(c);
      result += text.substr(16, 16);
    }
    for (const char c : text) result += escape_of(c);
    return result;
  });
}

}  // namespace json
