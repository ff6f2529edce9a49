// The document's code: names and contents are not escaped.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) { return std::string(1, c); });
}

}  // namespace json
