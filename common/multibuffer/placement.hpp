// The placement of the buffers of a workload in memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "common/bytes.hpp"

namespace ladder {

enum class Placement { packed, apart, scattered };  // one after the other; 2,048 bytes apart; in any order with gaps

// The offset of each buffer, and at the end the number of bytes in all. Order and gaps are pseudo-random and the same
// on every machine.
inline std::vector<std::size_t> offsets(const std::vector<std::size_t>& lengths, Placement placement) {
  Generator generator(lengths.size());
  std::vector<std::size_t> order(lengths.size()), begins(lengths.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (placement == Placement::scattered) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[generator.between(0, i - 1)]);
  }
  std::size_t end = 0;
  for (const std::size_t i : order) {
    if (placement == Placement::scattered) end += generator.between(0, 1'024);
    begins[i] = end;
    end += placement == Placement::apart ? 2'048 : lengths[i];
  }
  begins.back() = end;
  return begins;
}

}  // namespace ladder
