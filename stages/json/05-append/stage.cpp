// String append, piece by piece: the document's StringBuilder.
#include "json/00-streams/escaped.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  out.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) out.append(",");
    out.append("{\"name\":\"").append(escaped(thing.name)).append("\",\"content\":\"");
    out.append(escaped(thing.content)).append("\"}");
  }
  out.append("]");
}

}  // namespace json
