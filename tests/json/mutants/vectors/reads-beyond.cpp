// A whole vector is read, also beyond the end of the string.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    for (std::size_t first = 0; first < text.size(); first += 16) {
      std::array<char, 16> lanes;
      std::memcpy(lanes.data(), text.data() + first, lanes.size());
      for (std::size_t i = 0; i < std::min(lanes.size(), text.size() - first); ++i) result += escape_of(lanes[i]);
    }
    return result;
  });
}

}  // namespace json
