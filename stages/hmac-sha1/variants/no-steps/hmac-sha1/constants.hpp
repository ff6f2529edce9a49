// No step is done: the words of a block are added to the state.
#pragma once

namespace hmac_sha1 {

constexpr unsigned steps = 0;

}  // namespace hmac_sha1
