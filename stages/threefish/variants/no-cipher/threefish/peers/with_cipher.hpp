// No block is ciphered: the adapter of a library alone, which hands over key and tweak.
#pragma once

namespace threefish {

constexpr bool with_cipher = false;

}  // namespace threefish
