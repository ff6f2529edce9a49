// The digits are in lower case, as nlohmann's JSON writes them.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) {
    std::string escape = escape_of(c);
    if (escape.size() == 6 && escape[5] >= 'A') escape[5] = static_cast<char>(escape[5] - 'A' + 'a');
    return escape;
  });
}

}  // namespace json
