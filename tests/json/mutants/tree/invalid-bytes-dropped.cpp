// Bytes that no UTF-8 has are left out.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things,
                 [](char c) { return static_cast<unsigned char>(c) > 0xF4 ? std::string() : escape_of(c); });
}

}  // namespace json
