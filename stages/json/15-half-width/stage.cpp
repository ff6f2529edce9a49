// Narrow vectors: 32 bytes at a time also with AVX-512, because an escape throws away what a vector has behind it.
// requires: x86-64-v4
#include "json/08-runs/escapes.hpp"
#include "json/10-vector-widths/widths.hpp"
#include "json/14-lane-mask/mask.hpp"

namespace json {
namespace {

template <class Lanes>
void store(char* text, Lanes bytes) {
  std::memcpy(text, &bytes, sizeof bytes);
}

// Collects text for a string. Its functions append at `end` and return the new end. Behind it there is always room for
// one more vector, and for an escape after its plain bytes.
class Buffer {
 public:
  explicit Buffer(std::string& out) : out_(out) {}

  char* begin() { return bytes_; }

  char* append(char* end, std::string_view piece) {  // no longer than a vector
    std::memcpy(end, piece.data(), piece.size());
    return with_room(end + piece.size());
  }

  char* append_escaped(char* end, std::string_view text) {
    end = append_lanes<ThirtyTwo>(end, text);
    end = append_lanes<Sixteen>(end, text);
    end = append_lanes<Eight>(end, text);
    for (const char c : text) {
      *end = c;
      end = escape_of(c) == 0 ? with_room(end + 1) : append_escape(end, c);
    }
    return end;
  }

  void flush(const char* end) { out_.append(bytes_, static_cast<std::size_t>(end - bytes_)); }

 private:
  // Until fewer bytes are left than a vector has.
  template <class Lanes>
  char* append_lanes(char* end, std::string_view& text) {
    while (text.size() >= sizeof(Lanes)) {
      const Lanes bytes = load<Lanes>(text.data());
      store(end, bytes);
      const std::uint64_t mask = escapes_in(bytes);
      if (mask == 0) {  // a branch, which is predicted: the next load need not wait for the mask
        end = with_room(end + sizeof(Lanes));
        text.remove_prefix(sizeof(Lanes));
        continue;
      }
      const std::size_t plain = static_cast<std::size_t>(std::countr_zero(mask));
      end = append_escape(end + plain, text[plain]);
      text.remove_prefix(plain + 1);
    }
    return end;
  }

  // Not inlined: it is seldom called, and would take registers from the loops.
  [[gnu::noinline]] char* append_escape(char* end, char c) {
    constexpr char digits[] = "0123456789ABCDEF";
    const char letter = escape_of(c);
    const char all[] = {'\\', letter, '0', '0', digits[c >> 4 & 15], digits[c & 15]};
    std::memcpy(end, all, sizeof all);
    return with_room(end + (letter == 'u' ? 6 : 2));
  }

  char* with_room(char* end) {
    if (end > bytes_ + sizeof bytes_ - sizeof(ThirtyTwo) - longest_escape) [[unlikely]] {
      flush(end);
      return bytes_;
    }
    return end;
  }

  static constexpr std::size_t longest_escape = 6;

  std::string& out_;
  char bytes_[4096];
};

}  // namespace

void write(std::string& out, std::span<const Thing> things) {
  out.clear();
  Buffer buffer(out);
  char* end = buffer.append(buffer.begin(), "[");
  for (const Thing& thing : things) {
    if (&thing != things.data()) end = buffer.append(end, ",");
    end = buffer.append(end, "{\"name\":\"");
    end = buffer.append_escaped(end, thing.name);
    end = buffer.append(end, "\",\"content\":\"");
    end = buffer.append_escaped(end, thing.content);
    end = buffer.append(end, "\"}");
  }
  buffer.flush(buffer.append(end, "]"));
}

}  // namespace json
