// Staging buffer: pieces are collected in 4 KiB on the stack, and the string grows by whole buffers.
#include "json/08-runs/escapes.hpp"
#include "json/10-vector-widths/widths.hpp"

namespace json {
namespace {

// Collects text for a string.
class Buffer {
 public:
  explicit Buffer(std::string& out) : out_(out) {}

  void append(std::string_view piece) {
    if (piece.size() > sizeof bytes_ - size_) flush();
    if (piece.size() > sizeof bytes_) {
      out_.append(piece);
    } else {
      size_ += piece.copy(bytes_ + size_, piece.size());
    }
  }

  void flush() {
    out_.append(bytes_, size_);
    size_ = 0;
  }

 private:
  std::string& out_;
  char bytes_[4096];
  std::size_t size_ = 0;
};

void append_escape(Buffer& out, char c) {
  constexpr char digits[] = "0123456789ABCDEF";
  const char letter = escape_of(c);
  const char all[] = {'\\', letter, '0', '0', digits[c >> 4 & 15], digits[c & 15]};
  out.append({all, letter == 'u' ? sizeof all : 2});
}

// Skips plain bytes. True: the byte at `at` needs an escape. False: fewer bytes are left than a vector has.
template <class Lanes>
bool finds_escape(std::string_view text, std::size_t& at) {
  while (text.size() - at >= sizeof(Lanes)) {
    const std::size_t plain = first_escape(load<Lanes>(text.data() + at));
    at += plain;
    if (plain < sizeof(Lanes)) return true;
  }
  return false;
}

// The number of bytes at the beginning that need no escape.
std::size_t plain_bytes(std::string_view text) {
  std::size_t size = 0;
  if (finds_escape<Widest>(text, size) || finds_escape<Sixteen>(text, size) || finds_escape<Eight>(text, size)) {
    return size;
  }
  while (size < text.size() && escape_of(text[size]) == 0) ++size;
  return size;
}

void append_escaped(Buffer& out, std::string_view text) {
  for (;;) {
    const std::size_t run = plain_bytes(text);
    out.append(text.substr(0, run));
    if (run == text.size()) return;
    append_escape(out, text[run]);
    text.remove_prefix(run + 1);
  }
}

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  Buffer buffer(out);
  buffer.append("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) buffer.append(",");
    buffer.append("{\"name\":\"");
    append_escaped(buffer, thing.name);
    buffer.append("\",\"content\":\"");
    append_escaped(buffer, thing.content);
    buffer.append("\"}");
  }
  buffer.append("]");
  buffer.flush();
}

}  // namespace json
