// Formatted printing: snprintf and one format for a whole object.
#include <cstdio>

#include "json/00-streams/escaped.hpp"

namespace json {
namespace {

constexpr char format[] = "{\"name\":\"%s\",\"content\":\"%s\"}";
constexpr std::size_t frame = sizeof format - sizeof "%s%s";

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out = '[';
  for (const Thing& thing : things) {
    if (&thing != things.data()) out += ',';
    const std::string name = escaped(thing.name), content = escaped(thing.content);  // escaped strings hold no 0
    const std::size_t begin = out.size(), size = frame + name.size() + content.size();
    out.resize(begin + size);
    std::snprintf(out.data() + begin, size + 1, format, name.c_str(), content.c_str());
  }
  out += ']';
}

}  // namespace json
