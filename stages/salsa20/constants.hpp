// What tells one use of the cipher from another. The headers of the same name in standards/ take its place.
#pragma once

namespace salsa20 {

constexpr unsigned rounds = 20;

}  // namespace salsa20
