// What `make self-check` times: four programs of the same code at other addresses, and one of a little less work.
#pragma once

#include <cstdint>
#include <span>

namespace self_check {

extern const unsigned rounds;

// Sends each word through a chain of `rounds` rounds, each step of which waits for the one before.
void kernel(std::span<std::uint64_t> words);

}  // namespace self_check
