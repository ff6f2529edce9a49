// What the fuzz targets of all cases share. The fuzzer's bytes become choices: sizes, places, keys and contents. A
// target compares a stage with the oracle, and AddressSanitizer watches the ends of its buffers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>

#include "common/bytes.hpp"

namespace ladder::fuzz {

using Bytes = std::span<std::uint8_t>;

// Numbers come from the end of the fuzzer's bytes and contents from their beginning, so neither moves the other.
class Input {
 public:
  explicit Input(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // From low to high, both included; low once the bytes have run out.
  std::size_t between(std::size_t low, std::size_t high) {
    std::size_t drawn = 0;
    for (std::size_t most = high - low; most > 0 && !bytes_.empty(); most >>= 8) {
      drawn = drawn << 8 | bytes_.back();
      bytes_ = bytes_.first(bytes_.size() - 1);
    }
    return high - low == SIZE_MAX ? drawn : low + drawn % (high - low + 1);
  }

  bool flag() { return between(0, 1) == 1; }

  // Small sizes are drawn as often as large ones.
  std::size_t size(std::size_t most) {
    const std::size_t halvings = between(0, std::bit_width(most));
    return between(0, most >> halvings);
  }

  // A few bytes of the fuzzer are enough for long contents.
  void fill(Bytes out) {
    const std::size_t own = std::min(out.size(), bytes_.size());
    std::ranges::copy(bytes_.first(own), out.begin());
    bytes_ = bytes_.subspan(own);
    auto rest = out.subspan(own);
    generator_.fill(rest);
  }

  void fill_words(auto& words) { fill({reinterpret_cast<std::uint8_t*>(words.data()), sizeof words}); }

 private:
  std::span<const std::uint8_t> bytes_;
  Generator generator_{1};
};

// Memory that ends where its bytes end. `at` bytes of a line lie before them, which nobody may touch.
class Buffer {
 public:
  static constexpr std::size_t line = 64;

  Buffer(std::size_t bytes, std::size_t at)
      : memory_(static_cast<std::uint8_t*>(operator new(at + bytes, std::align_val_t(line)))), at_(at), bytes_(bytes) {
    std::fill_n(memory_, at, untouched);
  }
  ~Buffer() { operator delete(memory_, std::align_val_t(line)); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Bytes bytes() { return {memory_ + at_, bytes_}; }

  template <class Word>
  std::span<Word> as() {
    return {reinterpret_cast<Word*>(memory_ + at_), bytes_ / sizeof(Word)};
  }

  bool was_left() const { return std::count(memory_, memory_ + at_, untouched) == static_cast<std::ptrdiff_t>(at_); }

 private:
  static constexpr std::uint8_t untouched = 0xA5;

  std::uint8_t* memory_;
  std::size_t at_, bytes_;
};

// Where a buffer begins within a line.
inline std::size_t place(Input& input, std::size_t step = 1) {
  return step * input.between(0, Buffer::line / step - 1);
}

// Empty, or the first element that differs.
template <class Word>
std::string difference(std::span<const Word> actual, std::span<const Word> expected, const std::string& what) {
  const auto [first, second] = std::ranges::mismatch(actual, expected);
  if (first == actual.end() && second == expected.end()) return {};
  return what + " " + std::to_string(first - actual.begin()) + " of " + std::to_string(expected.size()) + " is wrong";
}

// Of each case (tests/<case>/fuzz.cpp): calls the stage as the input says. Empty, or what is wrong in one sentence.
std::string wrong(Input& input);

}  // namespace ladder::fuzz
