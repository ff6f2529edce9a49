// The end moves by a whole vector, although it has an escape: bytes that were copied behind the escape stay.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    while (!text.empty()) {
      const std::string_view copied = text.substr(0, text.size() >= 16 ? 16 : 1);
      const auto is_plain = [](char c) { return escape_of(c).size() == 1; };
      const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(copied, is_plain) - copied.begin());
      result += copied.substr(0, copied.size() == 1 ? plain : copied.size());
      text.remove_prefix(plain);
      if (plain == copied.size()) continue;
      result += escape_of(text.front());
      text.remove_prefix(1);
    }
    return result;
  });
}

}  // namespace json
