// Any number of blocks at any place in a line, in both directions.
#include "tests/fuzz.hpp"

#include <vector>

#include "oracle.hpp"
#include "threefish/threefish.hpp"

std::string ladder::fuzz::wrong(Input& input) {
  const bool encrypts = input.flag();
  const std::size_t at = place(input, 8), count = input.size(300);
  threefish::Key key;
  threefish::Tweak tweak;
  input.fill_words(key);
  input.fill_words(tweak);
  Buffer buffer(sizeof(threefish::Block) * count, at);
  input.fill(buffer.bytes());
  const auto blocks = buffer.as<threefish::Block>();
  std::vector<threefish::Block> expected(blocks.begin(), blocks.end());
  for (threefish::Block& block : expected) {
    block = encrypts ? threefish::oracle::encrypt_block(block, key, tweak)
                     : threefish::oracle::decrypt_block(block, key, tweak);
  }
  encrypts ? threefish::encrypt(blocks, key, tweak) : threefish::decrypt(blocks, key, tweak);
  if (!buffer.was_left()) return "bytes before the blocks were written";
  return difference<threefish::Block>(blocks, expected, encrypts ? "encrypted block" : "decrypted block");
}
