// The run after an escape begins with the byte that was escaped, if it is no quote.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) {
    const std::string escape = escape_of(c);
    return escape.size() > 1 && c != '"' ? escape + c : escape;
  });
}

}  // namespace json
