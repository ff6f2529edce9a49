// Where a vector has an escape, the text goes on a byte too late.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    while (!text.empty()) {
      const bool in_vector = text.size() >= 16;
      const std::string escape = escape_of(text.front());
      result += escape;
      text.remove_prefix(in_vector && escape.size() > 1 ? 2 : 1);
    }
    return result;
  });
}

}  // namespace json
