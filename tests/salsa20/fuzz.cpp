// Messages of any size at any places, in place or not, whose block numbers may carry from one word to the next.
#include "tests/fuzz.hpp"

#include <vector>

#include "oracle.hpp"
#include "salsa20/salsa20.hpp"

std::string ladder::fuzz::wrong(Input& input) {
  const bool in_place = input.flag();
  const std::size_t size = input.size(20'000), in_at = place(input), out_at = in_place ? in_at : place(input);
  // Up to 400 blocks before a carry, or any number.
  const std::uint64_t carries[] = {0, std::uint64_t{1} << 32, input.between(0, SIZE_MAX)};
  const std::uint64_t counter = carries[input.between(0, 2)] - input.between(0, 400);
  Buffer key_buffer(input.flag() ? 32 : 16, place(input));
  const Bytes key = key_buffer.bytes();
  salsa20::Nonce nonce;
  input.fill(key);
  input.fill(nonce);
  Buffer out(size, out_at), other(in_place ? 0 : size, in_at);
  Buffer& in = in_place ? out : other;
  input.fill(in.bytes());
  const std::vector<std::uint8_t> before(in.bytes().begin(), in.bytes().end());
  std::vector<std::uint8_t> expected(before);
  for (std::size_t block = 0; block * 64 < size; ++block) {
    const auto stream = salsa20::oracle::key_stream(key, nonce, counter + block, salsa20::rounds);
    for (std::size_t i = 64 * block; i < std::min(size, 64 * block + 64); ++i) expected[i] ^= stream[i % 64];
  }
  salsa20::crypt(out.bytes().data(), in.bytes(), key, nonce, counter);
  if (!out.was_left()) return "bytes before the output were written";
  if (!in_place && !std::ranges::equal(in.bytes(), before)) return "the input was changed";
  return difference<std::uint8_t>(out.bytes(), expected, "byte");
}
