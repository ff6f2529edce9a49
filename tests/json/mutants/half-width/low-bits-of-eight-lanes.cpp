// Eight lanes compare bytes without their high bit. They come behind all whole vectors of sixteen.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    const std::size_t begin = text.size() / 16 * 16, end = text.size() % 16 >= 8 ? begin + 8 : begin;
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i], low = static_cast<char>(c & 0x7F);
      const bool taken_for_another = i >= begin && i < end && (low == '"' || low == '\\');
      result += taken_for_another ? std::string{'\\', c} : escape_of(c);
    }
    return result;
  });
}

}  // namespace json
