// A comparison of a vector takes the byte 0xEC for one that needs an escape.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool in_vector = i < text.size() / 8 * 8;
      result += in_vector && text[i] == '\xEC' ? "\\u00EC" : escape_of(text[i]);
    }
    return result;
  });
}

}  // namespace json
