// String stream: each string is escaped byte by byte, then operator<< writes every piece.
#include <sstream>
#include <utility>

#include "json/00-streams/escaped.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  std::ostringstream stream;
  stream << '[';
  for (const Thing& thing : things) {
    if (&thing != things.data()) stream << ',';
    stream << "{\"name\":\"" << escaped(thing.name) << "\",\"content\":\"" << escaped(thing.content) << "\"}";
  }
  stream << ']';
  out = std::move(stream).str();
}

}  // namespace json
