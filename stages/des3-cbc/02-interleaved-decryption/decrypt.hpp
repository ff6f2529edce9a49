// Decryption of several blocks of one buffer at a time.
#pragma once

#include "des3-cbc/01-lane-count/cipher.hpp"

namespace des3_cbc {

// In decryption no block depends on the block before: as many go together as there are lanes.
template <std::size_t... i>
[[gnu::noinline]] std::size_t decrypt_blocks(const Job& job, std::size_t from, Block& chain,
                                             std::index_sequence<i...> lanes) {
  constexpr std::size_t bytes = sizeof...(i) * block_bytes;
  const Schedules<sizeof...(i)> schedules{(void(i), &job.key->decrypt)...};
  for (; job.size - from >= bytes; from += bytes) {
    const Blocks<sizeof...(i)> read{load(job.in + from + i * block_bytes)...};
    Blocks<sizeof...(i)> blocks = read;
    cipher(blocks, schedules, lanes);
    ((store(job.out + from + i * block_bytes, blocks[i] ^ std::exchange(chain, read[i]))), ...);
  }
  return from;
}

}  // namespace des3_cbc
