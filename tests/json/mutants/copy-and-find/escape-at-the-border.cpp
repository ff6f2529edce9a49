// An escape that does not fit into the rest of the buffer is cut.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  constexpr std::size_t room = 4'096;
  std::size_t used = 0;
  write_bytewise(out, things, [&](char c) {
    std::string escape = escape_of(c);
    if (used + escape.size() > room) escape.resize(room - used);
    used = (used + escape.size()) % room;
    return escape;
  });
}

}  // namespace json
