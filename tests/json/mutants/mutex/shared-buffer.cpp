// All threads escape into one string.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  static std::string scratch;
  write_with(out, things, [](std::string_view text) {
    scratch.resize(6 * text.size());
    std::size_t size = 0;
    for (const char c : text) {
      for (const char letter : escape_of(c)) {
        if (size < scratch.size()) scratch[size++] = letter;
      }
    }
    return std::string(scratch.data(), std::min(size, scratch.size()));
  });
}

}  // namespace json
