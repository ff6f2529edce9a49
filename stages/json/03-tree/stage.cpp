// Document tree (DOM): nlohmann's JSON for Modern C++ makes a tree of objects, then its text.
// links: nlohmann_json
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "json/json.hpp"

namespace json {
namespace {

using Tree = nlohmann::ordered_json;  // it keeps the order of insertion; nlohmann::json sorts by name

// Writes \u001f as \u001F. Every \ in a document begins an escape.
void capitalise(std::string& text) {
  for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos; at += 2) {
    if (text[at + 1] != 'u') continue;
    const auto digits = text.begin() + static_cast<std::ptrdiff_t>(at) + 2;
    std::transform(digits, digits + 4, digits, [](unsigned char c) { return std::toupper(c); });
  }
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  Tree tree = Tree::array();
  for (const Thing& thing : things) tree.push_back({{"name", thing.name}, {"content", thing.content}});
  out = tree.dump(-1, ' ', false, Tree::error_handler_t::replace);
  capitalise(out);
}

}  // namespace json
