// Whether the libraries cipher. The checks read it, because in the variant no-cipher the libraries do not.
#pragma once

namespace threefish {

constexpr bool with_cipher = true;

}  // namespace threefish
