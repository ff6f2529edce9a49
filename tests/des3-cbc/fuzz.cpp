// Batches of buffers of any sizes at any places, in place or not, with few keys or many.
#include "tests/fuzz.hpp"

#include <deque>
#include <vector>

#include "des3-cbc/schedule.hpp"
#include "oracle.hpp"

constexpr std::size_t most_blocks = 2'000;  // of a batch: bit slicing takes up to 512 at once

std::string ladder::fuzz::wrong(Input& input) {
  using des3_cbc::block_bytes, des3_cbc::key_bytes;
  const bool encrypts = input.flag();
  std::vector<des3_cbc::Key> keys(1 + input.size(4));
  for (des3_cbc::Key& key : keys) {
    std::array<std::uint8_t, key_bytes> bytes;
    input.fill(bytes);
    key = des3_cbc::expand(bytes);
  }
  std::deque<Buffer> memory;
  std::vector<des3_cbc::Job> jobs(input.size(1'100));  // up to 1,024 are sorted together
  std::vector<std::vector<std::uint8_t>> expected;
  for (des3_cbc::Job& job : jobs) {
    const std::size_t size = block_bytes * input.size(most_blocks / jobs.size());
    const Bytes in = memory.emplace_back(size, place(input)).bytes();
    const Bytes out = input.flag() ? in : memory.emplace_back(size, place(input)).bytes();
    const Bytes iv = memory.emplace_back(block_bytes, place(input)).bytes();
    const des3_cbc::Key& key = keys[input.between(0, keys.size() - 1)];
    input.fill(in);
    input.fill(iv);
    job = {in.data(), out.data(), size, &key, iv.data()};
    expected.push_back((encrypts ? des3_cbc::oracle::encrypt : des3_cbc::oracle::decrypt)(in, key.bytes, iv));
  }
  (encrypts ? des3_cbc::encrypt : des3_cbc::decrypt)(jobs);
  if (!std::ranges::all_of(memory, &Buffer::was_left)) return "bytes before a buffer were written";
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::string what = "buffer " + std::to_string(i) + " of " + std::to_string(jobs.size()) + ": byte";
    const std::span<const std::uint8_t> out(jobs[i].out, jobs[i].size);
    if (auto said = difference<std::uint8_t>(out, expected[i], what); !said.empty()) return said;
  }
  return {};
}
