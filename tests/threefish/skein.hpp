// Skein-256, made of the stage's own encrypt: N. Ferguson and others, "The Skein Hash Function Family", section 3.4 and
// 3.5. Only for its published answers; there is no key, no tree and no personalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace threefish::skein {

// The first `bits` bits of the message, of each byte the highest first; `output_bits` is a multiple of eight.
std::vector<std::uint8_t> hash(std::span<const std::uint8_t> message, std::size_t bits, std::size_t output_bits);

}  // namespace threefish::skein
