// Whether the libraries cipher. The checks read it, for their variant no-cipher does not.
#pragma once

namespace xtea {

constexpr bool with_cipher = true;

}  // namespace xtea
