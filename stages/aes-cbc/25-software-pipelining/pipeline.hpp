// Software pipelining over lines, where jobs share a key.
#pragma once

#include <utility>

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/22-fused-lines/line.hpp"
#include "aes-cbc/23-line-descriptors/line_parts.hpp"
#include "aes-cbc/24-next-group/after.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// While a line is encrypted, the next one is loaded and the last one is stored: four lanes of each between two blocks.
struct Pipeline {
  static void encrypt(const Groups<width>& groups, const Key& key) {
    const OneKey round_key(key);
    FourBlocks blocks[3][4][vectors], chained[vectors];
    auto *coming = blocks[0], *here = blocks[1], *going = blocks[2];
    Line last{groups.first(), 0, 0, Shape::even}, line = line_at(groups.first(), 0);
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) load_lanes(here, line, v);
    while (line.blocks != 0) {
      const Line next = line_after(line, groups);
      if (line.offset == 0) load_ivs(chained, line.jobs);
#pragma GCC unroll 4
      for (unsigned i = 0; i < 4; ++i) {
        load_lanes(coming, next, i);
        if (i < line.blocks) encrypt_block(here[i], chained, round_key);
        store_lanes(going, last, i);
      }
      last = std::exchange(line, next);
      std::swap(going, here);
      std::swap(here, coming);
    }
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) store_lanes(going, last, v);
  }
};

}  // namespace aes_cbc
