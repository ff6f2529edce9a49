// Any things, whose strings are UTF-8 of one and two bytes a character, each at a place of its own.
#include "tests/fuzz.hpp"

#include <deque>
#include <vector>

#include "oracle.hpp"

namespace {

// A byte of the fuzzer is a character. Beyond ASCII it takes two bytes, and every first byte of such characters occurs.
std::string_view drawn(ladder::fuzz::Input& input, std::deque<ladder::fuzz::Buffer>& buffers) {
  std::vector<std::uint8_t> characters(input.size(300));
  input.fill(characters);
  std::string text;
  for (const std::uint8_t character : characters) {
    const unsigned code = character < 0x80 ? character : 0x80 + 15 * (character - 0x80u);
    if (code >= 0x80) text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(code < 0x80 ? code : 0x80 | (code & 0x3F));
  }
  const auto bytes = buffers.emplace_back(text.size(), ladder::fuzz::place(input)).bytes();
  std::ranges::copy(text, bytes.begin());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string ladder::fuzz::wrong(Input& input) {
  std::deque<Buffer> buffers;
  std::vector<json::Thing> things(input.size(20));
  for (json::Thing& thing : things) thing = {drawn(input, buffers), drawn(input, buffers)};
  std::string out(input.size(100), 'x');
  json::write(out, things);
  return json::oracle::difference(things, out, 1);
}
