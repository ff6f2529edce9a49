// What a variant replaces: variants/no-kernel has a header of this name that takes the cipher out, so that the rest can
// be timed alone.
#pragma once

namespace aes_cbc {

constexpr bool with_kernel = true;

}  // namespace aes_cbc
