// A fake compression, which adds the state to itself: what is left to measure is what HMAC and the manager cost.
#pragma once

namespace hmac_sha1 {

constexpr unsigned steps = 0;

}  // namespace hmac_sha1
