// The mask of 32 lanes is tested as a number of 31 bits: an escape in the last lane is not seen.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool last = i % 32 == 31;
      result += last ? std::string(1, text[i]) : escape_of(text[i]);
    }
    return result;
  });
}

}  // namespace json
