// Bytes for tests and workloads: hexadecimal, and numbers that look random and are the same everywhere.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ladder {

// SplitMix64 (Steele, Lea and Flood, 2014).
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }

  // A number from low to high, both included. The range must not have all 2^64 numbers.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) { return low + (*this)() % (high - low + 1); }

  void fill(auto& words) {
    for (auto& word : words) word = static_cast<std::remove_reference_t<decltype(word)>>((*this)());
  }

 private:
  std::uint64_t state_;
};

// Throws std::invalid_argument unless `text` is an even number of hexadecimal digits.
inline std::vector<std::uint8_t> from_hex(std::string_view text) {
  const auto digit = [&](char c) {
    const std::size_t value = std::string_view("0123456789abcdef0123456789ABCDEF").find(c);
    if (value == std::string_view::npos) throw std::invalid_argument("not hexadecimal: " + std::string(text));
    return static_cast<std::uint8_t>(value % 16);
  };
  if (text.size() % 2 != 0) throw std::invalid_argument("half a byte of hexadecimal: " + std::string(text));
  std::vector<std::uint8_t> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  }
  return bytes;
}

}  // namespace ladder
