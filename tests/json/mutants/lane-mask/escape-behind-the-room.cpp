// Room is kept for a vector, but not for an escape behind its plain bytes: what passes the end of the buffer is lost.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  constexpr std::size_t room = 4'096;
  std::size_t used = 0;
  write_bytewise(out, things, [&](char c) {
    const std::string escape = escape_of(c);
    const std::size_t fits = std::min(escape.size(), room - used);
    used = escape.size() == 1 || fits == escape.size() ? (used + escape.size()) % room : 0;
    return fits == escape.size() ? escape : escape.substr(0, fits);
  });
}

}  // namespace json
