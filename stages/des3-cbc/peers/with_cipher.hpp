// Whether the libraries cipher. The checks read it, because in the variant no-cipher the libraries do not.
#pragma once

namespace des3_cbc {

constexpr bool with_cipher = true;

}  // namespace des3_cbc
