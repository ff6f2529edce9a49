// There is a comma after the last thing, too.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, escape_of);
  if (!things.empty()) out.insert(out.size() - 1, 1, ',');
}

}  // namespace json
