// No block is encrypted: rounds leave it as it is.
#pragma once

namespace aes_cbc {

constexpr bool with_kernel = false;

}  // namespace aes_cbc
