// Only the first byte in each vector that needs an escape gets one.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (std::size_t first = 0; first < text.size(); first += 16) {
      bool done = false;
      for (const char c : text.substr(first, 16)) {
        const std::string escape = done ? std::string(1, c) : escape_of(c);
        done |= escape.size() > 1;
        result += escape;
      }
    }
    return result;
  });
}

}  // namespace json
