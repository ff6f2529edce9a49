// Quotes and control characters are escaped, backslashes are not.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) { return c == '\\' ? std::string(1, c) : escape_of(c); });
}

}  // namespace json
