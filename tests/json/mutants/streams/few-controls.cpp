// Only those control characters are escaped that have a letter.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) {
    const std::string escape = escape_of(c);
    return escape.size() == 6 ? std::string(1, c) : escape;
  });
}

}  // namespace json
