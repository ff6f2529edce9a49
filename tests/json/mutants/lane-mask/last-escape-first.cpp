// Leading zeros are counted in place of trailing ones: of a vector's bytes, the last that needs an escape gets it.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (std::size_t first = 0; first < text.size(); first += 16) {
      const std::string_view bytes = text.substr(first, 16);
      std::size_t last = bytes.size();
      while (last > 0 && escape_of(bytes[last - 1]).size() == 1) --last;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        result += i + 1 == last ? escape_of(bytes[i]) : std::string(1, bytes[i]);
      }
    }
    return result;
  });
}

}  // namespace json
