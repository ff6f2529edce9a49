// A piece that is longer than the buffer is written before the text that the buffer holds.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, escape_of);
  for (const Thing& thing : things) {
    if (thing.content.size() <= 4'096) continue;
    const std::size_t place = out.find(thing.content);
    if (place == std::string::npos) continue;
    out.erase(place, thing.content.size());
    out.insert(0, thing.content);
  }
}

}  // namespace json
