// Streaming writer (SAX): RapidJSON's Writer gets one event after the other, and keeps nothing.
// links: RapidJSON
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "json/json.hpp"

namespace json {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void put(Writer& writer, std::string_view text) {
  const char* begin = text.empty() ? "" : text.data();  // it takes no null pointer
  writer.String(begin, static_cast<rapidjson::SizeType>(text.size()));
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  rapidjson::StringBuffer text;
  Writer writer(text);
  writer.StartArray();
  for (const Thing& thing : things) {
    writer.StartObject();
    writer.Key("name");
    put(writer, thing.name);
    writer.Key("content");
    put(writer, thing.content);
    writer.EndObject();
  }
  writer.EndArray();
  out.assign(text.GetString(), text.GetSize());
}

}  // namespace json
