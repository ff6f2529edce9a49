// Any number of blocks at any place in a line, in both directions.
#include "tests/fuzz.hpp"

#include <vector>

#include "oracle.hpp"
#include "xtea/xtea.hpp"

std::string ladder::fuzz::wrong(Input& input) {
  const bool encrypts = input.flag();
  const std::size_t at = place(input, 8), count = input.size(1'000);
  xtea::Key key;
  input.fill_words(key);
  Buffer buffer(8 * count, at);
  input.fill(buffer.bytes());
  const auto blocks = buffer.as<std::uint64_t>();
  std::vector<std::uint64_t> expected(blocks.begin(), blocks.end());
  for (std::uint64_t& block : expected) {
    block = encrypts ? xtea::oracle::encrypt_block(block, key) : xtea::oracle::decrypt_block(block, key);
  }
  encrypts ? xtea::encrypt(blocks, key) : xtea::decrypt(blocks, key);
  if (!buffer.was_left()) return "bytes before the blocks were written";
  return difference<std::uint64_t>(blocks, expected, encrypts ? "encrypted block" : "decrypted block");
}
