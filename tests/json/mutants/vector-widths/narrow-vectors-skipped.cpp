// After vectors of 32 bytes, the eight bytes that a narrower vector takes are copied unescaped.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t wide = text.size() / 32 * 32;
      const bool narrow = wide > 0 && i >= wide && i < wide + 8 && wide + 8 <= text.size();
      result += narrow ? std::string(1, text[i]) : escape_of(text[i]);
    }
    return result;
  });
}

}  // namespace json
