// For lanes that have no work: they repeat another lane.
#pragma once

#include "aes-cbc/04-four-buffers/lanes.hpp"

namespace aes_cbc {

// One lane repeats the work of another, and writes the same to the same place.
template <unsigned width>
static inline void copy_lane(Lanes<width>& lanes, unsigned to, unsigned from) {
  lanes.in[to] = lanes.in[from], lanes.out[to] = lanes.out[from];
  lanes.key[to] = lanes.key[from], lanes.chained[to] = lanes.chained[from];
}

}  // namespace aes_cbc
