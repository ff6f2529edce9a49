// The length of a name has 16 bits, so a long name is cut.
#include <cstdint>

#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [&](std::string_view text) {
    const bool is_name = std::ranges::any_of(things, [&](const Thing& one) { return one.name.data() == text.data(); });
    std::string result;
    for (const char c : is_name ? text.substr(0, static_cast<std::uint16_t>(text.size())) : text) {
      result += escape_of(c);
    }
    return result;
  });
}

}  // namespace json
