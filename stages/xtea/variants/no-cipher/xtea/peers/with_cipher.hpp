// No block is ciphered: the adapter of a library alone, which swaps bytes and sets the key.
#pragma once

namespace xtea {

constexpr bool with_cipher = false;

}  // namespace xtea
