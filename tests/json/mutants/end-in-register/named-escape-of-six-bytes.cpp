// The end moves by six bytes behind any escape: \n is followed by what its six bytes held.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) {
    const std::string escape = escape_of(c);
    return escape.size() == 2 ? escape + "000A" : escape;
  });
}

}  // namespace json
