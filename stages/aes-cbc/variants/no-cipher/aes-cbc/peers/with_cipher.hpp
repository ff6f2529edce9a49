// No job is ciphered, only copied: the adapter of a library alone, which describes the job to the library.
#pragma once

namespace aes_cbc {

constexpr bool with_cipher = false;

}  // namespace aes_cbc
