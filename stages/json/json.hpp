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

// The text holds the things in their order, without white space:
//
//   [{"name":"a","content":"say \"b\""},{"name":"c","content":""}]
//
// It is [] if there are no things. In strings, " and \ get a \ before them. Backspace, tab, line feed, form feed and
// carriage return become \b \t \n \f \r. Other bytes below 0x20 become \u00 and two digits, with A to F in upper
// case. Nothing else is escaped: neither / nor DEL, and characters beyond ASCII stay UTF-8. So there is one right
// answer, byte for byte.
//
// Contract: the text replaces what is in `out`. Strings are UTF-8; the caller has checked that. Invalid strings are
// copied unchanged, or U+FFFD replaces their bytes. Each string is smaller than 128 MiB, and none overlaps `out`.
// Strings may have any address, and nothing outside them is read. There is no state between calls, so threads may call
// at the same time. Throws only std::bad_alloc.
void write(std::string& out, std::span<const Thing> things);

}  // namespace json
