// DEL is escaped like a control character.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) { return c == 0x7F ? std::string("\\u007F") : escape_of(c); });
}

}  // namespace json
