// Bytes are compared as signed numbers, so those of UTF-8 are below 0x20.
#include "../parts.hpp"

namespace json {

void write(std::string& out, std::span<const Thing> things) {
  write_bytewise(out, things, [](char c) {
    constexpr char digits[] = "0123456789ABCDEF";
    if (static_cast<signed char>(c) >= 0) return escape_of(c);
    return std::string{'\\', 'u', '0', '0', digits[c >> 4 & 15], digits[c & 15]};
  });
}

}  // namespace json
