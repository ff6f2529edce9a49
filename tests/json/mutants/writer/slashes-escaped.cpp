// The writer also escapes slashes.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) { return c == '/' ? std::string("\\/") : escape_of(c); });
}

}  // namespace json
