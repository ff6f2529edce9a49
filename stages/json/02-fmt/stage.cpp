// Formatted printing with {fmt}: a library that knows the types of its arguments.
// links: fmt
#include <fmt/format.h>

#include <iterator>

#include "json/00-streams/escaped.hpp"

namespace json {
namespace {

constexpr char format[] = R"({{"name":"{}","content":"{}"}})";

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out = '[';
  for (const Thing& thing : things) {
    if (&thing != things.data()) out += ',';
    fmt::format_to(std::back_inserter(out), format, escaped(thing.name), escaped(thing.content));
  }
  out += ']';
}

}  // namespace json
