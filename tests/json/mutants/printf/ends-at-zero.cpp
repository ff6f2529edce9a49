// Strings end at their first 0, as in C.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, text.find('\0'))) result += escape_of(c);
    return result;
  });
}

}  // namespace json
