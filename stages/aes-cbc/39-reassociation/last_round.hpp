// The last round on a block in a vector, with a sum that is xored with its round key beforehand.
#pragma once

#include "aes-cbc/02-aes-instructions/instructions.hpp"

namespace aes_cbc {

static inline Vector encrypt_last_round(Vector block, Vector key, Vector ahead) {
  return encrypt_last_round(block, key ^ ahead);
}

}  // namespace aes_cbc
