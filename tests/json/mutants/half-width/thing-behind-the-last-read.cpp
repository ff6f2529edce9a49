// The name of the next thing is looked at also behind the last one.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  for (const Thing& thing : things) static_cast<void>(*reinterpret_cast<const volatile char*>(&thing + 1));
  write_bytewise(out, things, escape_of);
}

}  // namespace json
