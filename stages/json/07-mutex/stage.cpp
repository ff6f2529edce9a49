// String append under a mutex, which no other thread uses: the document's StringBuffer.
#include <mutex>
#include <utility>

#include "json/00-streams/escaped.hpp"

namespace json {
namespace {

// Every call takes the lock, like every method of Java's StringBuffer.
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
