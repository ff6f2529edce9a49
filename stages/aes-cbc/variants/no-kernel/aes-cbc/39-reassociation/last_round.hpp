// Without the cipher: the last round adds the next block, and nothing else.
#pragma once

#include "aes-cbc/02-aes-instructions/instructions.hpp"

namespace aes_cbc {

static inline Vector encrypt_last_round(Vector block, Vector /*key*/, Vector ahead) { return block ^ ahead; }

}  // namespace aes_cbc
