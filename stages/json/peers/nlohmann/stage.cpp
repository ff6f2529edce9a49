// nlohmann's JSON for Modern C++: a tree of objects, then its text.
// links: nlohmann_json
#include <nlohmann/json.hpp>

#include "../capitals.hpp"
#include "json/json.hpp"

namespace json {
namespace {

using Tree = nlohmann::ordered_json;  // it keeps the order of insertion

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  Tree::array_t list;
  list.reserve(things.size());
  for (const Thing& thing : things) {
    Tree::object_t object;
    object.reserve(2);
    object.emplace("name", thing.name);
    object.emplace("content", thing.content);
    list.emplace_back(std::move(object));
  }
  out = Tree(std::move(list)).dump(-1, ' ', false, Tree::error_handler_t::replace);
  capitalise_digits(out);
}

}  // namespace json
