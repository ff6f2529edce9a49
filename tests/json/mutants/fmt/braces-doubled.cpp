// A content with braces is used as a format, so its braces are doubled.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) { return c == '{' || c == '}' ? std::string(2, c) : escape_of(c); });
}

}  // namespace json
