// Does nothing.
#include "des3-cbc/des3_cbc.hpp"

namespace des3_cbc {

void encrypt(std::span<const Job>) {}

void decrypt(std::span<const Job>) {}

}  // namespace des3_cbc
