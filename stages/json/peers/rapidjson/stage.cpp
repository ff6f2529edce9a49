// RapidJSON: its streaming writer, with its SIMD search for what needs an escape.
// links: RapidJSON
#ifdef __SSE2__
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "json/json.hpp"

namespace json {
namespace {

using Buffer = rapidjson::StringBuffer;
using Writer = rapidjson::Writer<Buffer>;
// With an argument that is not the default, so the search of this writer has no vectors.
using ScalarWriter = rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator,
                                       rapidjson::kWriteNanAndInfFlag>;

// Version 1.1 compares vectors with 0x19 in place of 0x1F, so its search takes 0x1A to 0x1F for plain bytes. No exit
// from the loop, so that the compiler can use vectors.
bool has_missed_byte(std::string_view text) {
  unsigned char found = 0;
  for (const char c : text) found |= static_cast<unsigned char>(c - 0x1A) < 6;
  return found != 0;
}

void put(Writer& writer, std::string_view text) {
  const char* begin = text.empty() ? "" : text.data();  // it takes no null pointer
  const auto size = static_cast<rapidjson::SizeType>(text.size());
  if (!has_missed_byte(text)) {
    writer.String(begin, size);
    return;
  }
  Buffer quoted;
  ScalarWriter(quoted).String(begin, size);
  writer.RawValue(quoted.GetString(), quoted.GetSize(), rapidjson::kStringType);
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  thread_local Buffer text;  // is kept: otherwise every call would allocate memory
  text.Clear();
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
