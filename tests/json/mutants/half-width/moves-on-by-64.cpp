// A vector of 32 bytes is stored, and the text moves on by the 64 bytes of the widest vector.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (; text.size() >= 64; text.remove_prefix(64)) {
      for (const char c : text.substr(0, 32)) result += escape_of(c);
    }
    for (const char c : text) result += escape_of(c);
    return result;
  });
}

}  // namespace json
