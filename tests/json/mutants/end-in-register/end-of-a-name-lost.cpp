// The end behind a name without escapes is not taken over: what follows overwrites the name.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_with(out, things, [&](std::string_view text) {
    std::string result;
    for (const char c : text) result += escape_of(c);
    const bool name = std::ranges::any_of(things, [&](const Thing& thing) { return thing.name.data() == text.data(); });
    return name && result.size() == text.size() ? std::string() : result;
  });
}

}  // namespace json
