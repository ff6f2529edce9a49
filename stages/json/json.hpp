// JSON (RFC 8259) for a list of things, each with a name and a content: an array of objects with two strings.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace json {

struct Thing {
  std::string_view name, content;
};

// Contract: replaces what `out` holds by the things in their order, without a byte of white space:
//
//   [{"name":"a","content":"say \"b\""},{"name":"c","content":""}]
//
// and [] where there are none. In strings " and \ have a \ before them; backspace, tab, line feed, form feed and
// carriage return become \b \t \n \f \r, the other bytes below 0x20 \u00 and two digits, of which A to F are capitals.
// Nothing else is escaped: neither / nor DEL, and what is beyond ASCII stays UTF-8. So there is one right answer, byte
// for byte.
//
// Strings are UTF-8: whoever lets them into a program checks that, once. Of others the JSON is as they are, or holds
// U+FFFD instead; no more happens. Each is smaller than 256 MiB, and they lie outside `out`, at any address; nothing
// outside them is read. Keeps nothing between calls, so threads may call at once. Throws nothing but std::bad_alloc.
void write(std::string& out, std::span<const Thing> things);

}  // namespace json
