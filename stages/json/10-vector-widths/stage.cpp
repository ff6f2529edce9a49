// Vector widths: search with the widest vectors first, then with narrower ones.
#include "json/08-runs/escapes.hpp"
#include "json/10-vector-widths/widths.hpp"

namespace json {
namespace {

void append_escape(std::string& out, char c) {
  constexpr char digits[] = "0123456789ABCDEF";
  const char letter = escape_of(c);
  const char all[] = {'\\', letter, '0', '0', digits[c >> 4 & 15], digits[c & 15]};
  out.append(all, letter == 'u' ? 6 : 2);
}

// Skips plain bytes. True: the byte at `at` needs an escape. False: fewer bytes are left than a vector has.
template <class Lanes>
bool finds_escape(std::string_view text, std::size_t& at) {
  while (text.size() - at >= sizeof(Lanes)) {
    const std::size_t plain = first_escape(load<Lanes>(text.data() + at));
    at += plain;
    if (plain < sizeof(Lanes)) return true;
  }
  return false;
}

// The number of bytes at the beginning that need no escape.
std::size_t plain_bytes(std::string_view text) {
  std::size_t size = 0;
  if (finds_escape<Widest>(text, size) || finds_escape<Sixteen>(text, size) || finds_escape<Eight>(text, size)) {
    return size;
  }
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
