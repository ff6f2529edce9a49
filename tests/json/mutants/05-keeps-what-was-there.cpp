// It appends to what the string held.
#include "parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  std::string more;
  write_bytewise(more, things, escape_of);
  out += more;
}

}  // namespace json
