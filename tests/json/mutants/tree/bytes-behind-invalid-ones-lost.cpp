// What stands behind bytes that no UTF-8 has is lost.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    std::string result;
    bool lost = false;
    for (const char c : text) {
      const bool is_wrong = static_cast<unsigned char>(c) > 0xF4;
      if (lost && !is_wrong) break;
      lost = is_wrong;
      result += escape_of(c);
    }
    return result;
  });
}

}  // namespace json
