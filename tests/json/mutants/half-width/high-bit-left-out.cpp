// Bytes are compared without their high bit, so some parts of longer characters are taken for a quote or a backslash.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) {
    const char low = static_cast<char>(c & 0x7F);
    return low == '"' || low == '\\' ? std::string{'\\', c} : escape_of(c);
  });
}

}  // namespace json
