// The number of rounds. A header of the same name in standards/ can replace it.
#pragma once

namespace salsa20 {

constexpr unsigned rounds = 20;

}  // namespace salsa20
