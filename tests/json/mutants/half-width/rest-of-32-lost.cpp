// What the widest vectors left was less than 64 bytes. It is searched with vectors of 16 bytes, of which there is one:
// the others are lost.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [](std::string_view text) {
    const std::size_t whole = text.size() / 64 * 64, rest = text.size() - whole;
    std::string result;
    for (const char c : text.substr(0, whole + (rest < 32 ? rest : rest % 32))) result += escape_of(c);
    return result;
  });
}

}  // namespace json
