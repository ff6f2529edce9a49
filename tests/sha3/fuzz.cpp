// Batches of messages of any sizes, each with its digest beside it, or anywhere over it.
#include "tests/fuzz.hpp"

#include <deque>
#include <vector>

#include "oracle.hpp"

std::string ladder::fuzz::wrong(Input& input) {
  const bool wide = input.flag();
  const std::size_t digest_bytes = wide ? 64 : 32, count = input.size(20);
  std::deque<Buffer> memory;
  std::vector<sha3::Message> messages;
  std::vector<std::vector<std::uint8_t>> expected;  // all of the memory of each message
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = input.size(700), data = input.between(0, digest_bytes);
    const std::size_t digest = input.between(0, data + size);  // before the data, over it or behind
    const Bytes bytes = memory.emplace_back(std::max(data + size, digest + digest_bytes), place(input)).bytes();
    input.fill(bytes);
    messages.push_back({bytes.data() + data, size, bytes.data() + digest});
    const auto result = sha3::oracle::digest(bytes.subspan(data, size), static_cast<unsigned>(8 * digest_bytes));
    std::ranges::copy(result,
                      expected.emplace_back(bytes.begin(), bytes.end()).begin() + static_cast<std::ptrdiff_t>(digest));
  }
  wide ? sha3::hash512(messages) : sha3::hash256(messages);
  for (std::size_t i = 0; i < count; ++i) {
    if (!memory[i].was_left()) return "bytes before a message were written";
    const std::string what = "message " + std::to_string(i) + " of " + std::to_string(count) + ": byte";
    if (auto said = difference<std::uint8_t>(memory[i].bytes(), expected[i], what); !said.empty()) return said;
  }
  return {};
}
