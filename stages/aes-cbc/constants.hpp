// Whether blocks are encrypted. The checks read it, for the variant no-kernel does not.
#pragma once

namespace aes_cbc {

constexpr bool with_kernel = true;

}  // namespace aes_cbc
