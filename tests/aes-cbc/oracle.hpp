// AES-128-CBC by the standards' own words: FIPS 197 and SP 800-38A. Shares no code with any stage; it knows only that a
// variant may leave the cipher out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aes_cbc::oracle {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

// `key` and `iv` are 16 bytes, the text is whole blocks.
Bytes encrypt(View key, View iv, View text);
Bytes decrypt(View key, View iv, View text);

using Cipher = Bytes (*)(View key, View iv, View text);

// What a call made of a buffer.
struct Ciphered {
  View key, iv, in, out;
};

// Compares `places` outputs, drawn at random, with what `cipher` makes of their input; `calls` is the number of the
// call that made them. Empty, or what is wrong in one sentence.
std::string difference(std::span<const Ciphered> buffers, Cipher cipher, std::size_t calls, std::size_t places);

}  // namespace aes_cbc::oracle
