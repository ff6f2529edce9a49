// Whether blocks are encrypted. The variant no-kernel encrypts none, and the checks must know that.
#pragma once

namespace aes_cbc {

constexpr bool with_kernel = true;

}  // namespace aes_cbc
