// 06 Appended under a mutex, which nobody else ever asks for: the document's StringBuffer.
#include <mutex>
#include <utility>

#include "json/json.hpp"

namespace json {
namespace {

std::string escaped(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\b':
        result += "\\b";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\f':
        result += "\\f";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          result += "\\u00";
          result += digits[c >> 4];
          result += digits[c & 15];
        } else {
          result += c;
        }
    }
  }
  return result;
}

// Every call takes the lock, as every method of Java's StringBuffer does.
class Buffer {
 public:
  explicit Buffer(std::string text) : text_(std::move(text)) {}

  Buffer& append(std::string_view piece) {
    const std::lock_guard lock(mutex_);
    text_.append(piece);
    return *this;
  }

  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::move(text_);
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  Buffer buffer(std::move(out));
  buffer.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) buffer.append(",");
    buffer.append("{\"name\":\"").append(escaped(thing.name)).append("\",\"content\":\"");
    buffer.append(escaped(thing.content)).append("\"}");
  }
  buffer.append("]");
  out = buffer.take();
}

}  // namespace json
