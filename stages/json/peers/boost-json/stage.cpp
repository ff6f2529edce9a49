// Boost.JSON: its serializer, one string at a time.
// links: boost_json
#include <boost/json/serializer.hpp>

#include "../capitals.hpp"
#include "json/json.hpp"

namespace json {
namespace {

void put(boost::json::serializer& serializer, std::string& out, std::string_view text) {
  char piece[4096];
  serializer.reset(boost::json::string_view(text.data(), text.size()));
  while (!serializer.done()) out += std::string_view(serializer.read(piece));
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  boost::json::serializer serializer;
  out.clear();
  out += '[';
  for (const Thing& thing : things) {
    out += &thing == things.data() ? "{\"name\":" : ",{\"name\":";
    put(serializer, out, thing.name);
    out += ",\"content\":";
    put(serializer, out, thing.content);
    out += '}';
  }
  out += ']';
  capitalise_digits(out);
}

}  // namespace json
