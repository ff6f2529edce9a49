#include "oracle.hpp"

#include <algorithm>
#include <cstdint>

#include "common/lacks.hpp"

namespace json::oracle {
namespace {

// Each has a letter of its own behind the \, in the same order.
constexpr std::string_view named = "\"\\\b\t\n\f\r";
constexpr std::string_view letters = "\"\\btnfr";

void add(std::string& text, char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto code = static_cast<std::uint8_t>(c);
  const std::size_t place = named.find(c);
  if (place != std::string_view::npos) {
    text.append({'\\', letters[place]});
  } else if (code < 0x20) {
    text.append({'\\', 'u', '0', '0', digits[code / 16], digits[code % 16]});
  } else {
    text.push_back(c);
  }
}

std::string quoted(std::string_view text) {
  std::string result(1, '"');
  if (ladder::lacks("escaping")) {
    result.append(text);
  } else {
    for (const char c : text) add(result, c);
  }
  result.push_back('"');
  return result;
}

}  // namespace

std::string written(std::span<const Thing> things) {
  std::string result(1, '[');
  for (const Thing& thing : things) {
    if (result.size() > 1) result.append(",");
    result.append("{").append(quoted("name")).append(":").append(quoted(thing.name)).append(",");
    result.append(quoted("content")).append(":").append(quoted(thing.content)).append("}");
  }
  result.push_back(']');
  return result;
}

std::string difference(std::span<const Thing> things, std::string_view text, std::size_t calls) {
  if (calls == 0) return {};
  const std::string right = written(things);
  if (text == right) return {};
  const auto [place, other] = std::mismatch(right.begin(), right.end(), text.begin(), text.end());
  return "byte " + std::to_string(place - right.begin()) + " of " + std::to_string(right.size()) +
         " is not what the oracle gives in call " + std::to_string(calls);
}

}  // namespace json::oracle
