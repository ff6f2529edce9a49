// Without the steps: there is no message schedule either.
#pragma once

#include "hmac-sha1/28-schedule-in-memory/words_in_memory.hpp"

namespace hmac_sha1 {

using VectorSchedule = WordsInMemory;

}  // namespace hmac_sha1
