// No job is ciphered, only copied: the adapter of a library alone, which finds the object of a key and sets the iv.
#pragma once

namespace des3_cbc {

constexpr bool with_cipher = false;

}  // namespace des3_cbc
