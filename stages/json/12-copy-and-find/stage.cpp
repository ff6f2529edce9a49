// Copy and find in one pass: each vector is stored in the buffer and searched, then the end moves by its plain bytes.
#include "json/08-runs/escapes.hpp"
#include "json/10-vector-widths/widths.hpp"

namespace json {
namespace {

template <class Lanes>
void store(char* text, Lanes bytes) {
  std::memcpy(text, &bytes, sizeof bytes);
}

// Collects text for a string. There is always room for one more vector, and so for an escape.
class Buffer {
 public:
  explicit Buffer(std::string& out) : out_(out) {}

  void append(std::string_view piece) {  // no longer than a vector
    std::memcpy(end_, piece.data(), piece.size());
    advance(piece.size());
  }

  void append_escaped(std::string_view text) {
    append_lanes<Widest>(text);
    append_lanes<Sixteen>(text);
    append_lanes<Eight>(text);
    for (const char c : text) {
      *end_ = c;
      if (escape_of(c) == 0) {
        advance(1);
      } else {
        append_escape(c);
      }
    }
  }

  void flush() {
    out_.append(bytes_, static_cast<std::size_t>(end_ - bytes_));
    end_ = bytes_;
  }

 private:
  // Until fewer bytes are left than a vector has.
  template <class Lanes>
  void append_lanes(std::string_view& text) {
    while (text.size() >= sizeof(Lanes)) {
      const Lanes bytes = load<Lanes>(text.data());
      store(end_, bytes);
      const std::size_t plain = first_escape(bytes);
      advance(plain);
      text.remove_prefix(plain);
      if (plain == sizeof(Lanes)) continue;
      append_escape(text.front());
      text.remove_prefix(1);
    }
  }

  void append_escape(char c) {
    constexpr char digits[] = "0123456789ABCDEF";
    const char letter = escape_of(c);
    const char all[] = {'\\', letter, '0', '0', digits[c >> 4 & 15], digits[c & 15]};
    std::memcpy(end_, all, sizeof all);
    advance(letter == 'u' ? 6 : 2);
  }

  void advance(std::size_t size) {
    end_ += size;
    if (end_ > bytes_ + sizeof bytes_ - sizeof(Widest)) flush();
  }

  std::string& out_;
  char bytes_[4096];
  char* end_ = bytes_;
};

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  Buffer buffer(out);
  buffer.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) buffer.append(",");
    buffer.append("{\"name\":\"");
    buffer.append_escaped(thing.name);
    buffer.append("\",\"content\":\"");
    buffer.append_escaped(thing.content);
    buffer.append("\"}");
  }
  buffer.append("]");
  buffer.flush();
}

}  // namespace json
