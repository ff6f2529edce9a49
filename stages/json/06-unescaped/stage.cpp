// String append without escaping, as in the document: the text is JSON only if no string needs an escape.
// lacks: escaping
#include "json/json.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  out.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) out.append(",");
    out.append("{\"name\":\"").append(thing.name).append("\",\"content\":\"");
    out.append(thing.content).append("\"}");
  }
  out.append("]");
}

}  // namespace json
