// 07 Straight into the string, and a run of bytes that need no escape all at once.
#include <array>

#include "json/json.hpp"

namespace json {
namespace {

// What stands behind the \, by byte; 0 where there is none.
constexpr auto escapes = [] {
  std::array<char, 256> letters{};
  for (unsigned char c = 0; c < 0x20; ++c) letters[c] = 'u';
  letters['\b'] = 'b';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\f'] = 'f';
  letters['\r'] = 'r';
  letters['"'] = '"';
  letters['\\'] = '\\';
  return letters;
}();

char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

void append_escape(std::string& out, char c) {
  constexpr char digits[] = "0123456789ABCDEF";
  const char letter = escape_of(c);
  const char all[] = {'\\', letter, '0', '0', digits[c >> 4 & 15], digits[c & 15]};
  out.append(all, letter == 'u' ? 6 : 2);
}

// How many bytes from the first on need no escape.
std::size_t plain_bytes(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && escape_of(text[size]) == 0) ++size;
  return size;
}

void append_escaped(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t run = plain_bytes(text);
    out.append(text.data(), run);
    if (run == text.size()) return;
    append_escape(out, text[run]);
    text.remove_prefix(run + 1);
  }
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  out.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) out.append(",");
    out.append("{\"name\":\"");
    append_escaped(out, thing.name);
    out.append("\",\"content\":\"");
    append_escaped(out, thing.content);
    out.append("\"}");
  }
  out.append("]");
}

}  // namespace json
