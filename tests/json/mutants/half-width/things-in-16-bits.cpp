// Things are counted in 16 bits, so most of a long list is missing.
#include <cstdint>

#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things.first(static_cast<std::uint16_t>(things.size())), escape_of);
}

}  // namespace json
