// 09 What is looked at is copied at once, into a small buffer: no piece is too short for that.
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "json/json.hpp"

namespace json {
namespace {

using Eight [[gnu::vector_size(8)]] = std::uint8_t;
using Sixteen [[gnu::vector_size(16)]] = std::uint8_t;
using ThirtyTwo [[gnu::vector_size(32)]] = std::uint8_t;
using SixtyFour [[gnu::vector_size(64)]] = std::uint8_t;
#if defined(__AVX512BW__)
using Widest = SixtyFour;
#elif defined(__AVX2__)
using Widest = ThirtyTwo;
#else
using Widest = Sixteen;
#endif

// What stands behind the \, by byte; 0 where there is none.
constexpr auto escapes = [] {
  std::array<char, 256> letters{};
  for (unsigned char c = 0; c < 0x20; ++c) letters[c] = 'u';
  letters['\b'] = 'b';
  letters['\t'] = 't';
  letters['\n'] = 'n';
  letters['\f'] = 'f';
  letters['\r'] = 'r';
  letters['"'] = '"';
  letters['\\'] = '\\';
  return letters;
}();

char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

template <class Lanes>
Lanes load(const char* text) {
  Lanes bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

template <class Lanes>
void store(char* text, Lanes bytes) {
  std::memcpy(text, &bytes, sizeof bytes);
}

// The place of the first byte that needs an escape; as many as there are lanes, where none does.
template <class Lanes>
std::size_t first_escape(Lanes bytes) {
  const Lanes needed = Lanes(bytes < 0x20) | Lanes(bytes == '"') | Lanes(bytes == '\\');  // all bits or none
  const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(Lanes) / 8>>(needed);
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  if (any == 0) return sizeof(Lanes);
  std::size_t i = 0;
  while (words[i] == 0) ++i;
  return 8 * i + static_cast<std::size_t>(std::countr_zero(words[i])) / 8;
}

// What goes to a string comes here first: there is always room for one more vector, and so for an escape.
class Buffer {
 public:
  explicit Buffer(std::string& out) : out_(out) {}

  void put(std::string_view piece) {  // no longer than a vector
    std::memcpy(end_, piece.data(), piece.size());
    advance(piece.size());
  }

  void put_escaped(std::string_view text) {
    put_lanes<Widest>(text);
    put_lanes<Sixteen>(text);
    put_lanes<Eight>(text);
    for (const char c : text) {
      *end_ = c;
      if (escape_of(c) == 0) {
        advance(1);
      } else {
        put_escape(c);
      }
    }
  }

  void flush() {
    out_.append(bytes_, static_cast<std::size_t>(end_ - bytes_));
    end_ = bytes_;
  }

 private:
  // Until fewer bytes are left than there are lanes.
  template <class Lanes>
  void put_lanes(std::string_view& text) {
    while (text.size() >= sizeof(Lanes)) {
      const Lanes bytes = load<Lanes>(text.data());
      store(end_, bytes);
      const std::size_t plain = first_escape(bytes);
      advance(plain);
      text.remove_prefix(plain);
      if (plain == sizeof(Lanes)) continue;
      put_escape(text.front());
      text.remove_prefix(1);
    }
  }

  void put_escape(char c) {
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
  buffer.put("[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) buffer.put(",");
    buffer.put("{\"name\":\"");
    buffer.put_escaped(thing.name);
    buffer.put("\",\"content\":\"");
    buffer.put_escaped(thing.content);
    buffer.put("\"}");
  }
  buffer.put("]");
  buffer.flush();
}

}  // namespace json
