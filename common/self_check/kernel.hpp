// What `make self-check` times: programs of the same code at other addresses, and programs of a little less work. Each
// of the three kernels does `rounds` equal parts of work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace self_check {

extern const unsigned rounds;

// Sends each word through a chain of steps, each of which waits for the one before.
void chain(std::span<std::uint64_t> words);

constexpr std::size_t words_a_buffer = 32;

// Mixes the words of `rounds` buffers, one behind the other: vectors, and memory beyond the first cache.
void buffers(std::span<std::uint64_t> words);

// Joins `rounds` strings, each of which is allocated and freed.
std::string texts(std::uint64_t seed);

}  // namespace self_check
