// AES-128-CBC by the standards' own words: FIPS 197 and SP 800-38A. Shares no code with any stage; it knows only that a
// variant may leave the cipher out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aes_cbc::oracle {

using Bytes = std::vector<std::uint8_t>;
using View = std::span<const std::uint8_t>;

// `key` and `iv` are 16 bytes, the text is whole blocks.
Bytes encrypt(View key, View iv, View text);
Bytes decrypt(View key, View iv, View text);

}  // namespace aes_cbc::oracle
