// What mutants of both interleaved stages do wrong: what they xor the block at `i` with.
// The stages decrypt sets of `set` bytes at once.
#pragma once

#include "cipher.hpp"

namespace aes_cbc {

// Null in all sets but the first `sets % 256`: these blocks are left out.
inline const std::uint8_t* with_few_sets(const Job& job, const std::uint8_t* text, std::size_t i, std::size_t set) {
  const std::size_t sets = job.size / set;
  if (i / set >= sets % 256 && i / set < sets) return nullptr;
  return i == 0 ? job.iv : text + i - block_bytes;
}

// Within a set it is the block before as it is now, which a buffer in place has lost.
inline const std::uint8_t* with_written(const Job& job, const std::uint8_t* text, std::size_t i, std::size_t set) {
  const bool in_set = i % set != 0 && i / set < job.size / set;
  const std::uint8_t* const from = in_set ? job.in : text;
  return i == 0 ? job.iv : from + i - block_bytes;
}

}  // namespace aes_cbc
