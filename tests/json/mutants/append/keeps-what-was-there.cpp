// The text is appended to the old text of the string.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  std::string more;
  write_bytewise(more, things, escape_of);
  out += more;
}

}  // namespace json
