// No message is ciphered, only copied: the adapter of a library alone, which sets key, nonce and position.
#pragma once

namespace salsa20 {

constexpr bool with_cipher = false;

}  // namespace salsa20
