// The order of lines: those of a group, then those of the next group.
#pragma once

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/22-fused-lines/line.hpp"

namespace aes_cbc {

// A line without blocks follows the last one. No group is empty.
static inline Line line_after(const Line& line, const Groups<width>& groups) {
  const std::size_t offset = line.offset + line.blocks * block_bytes;
  if (offset < line.jobs[width - 1]->size) return line_at(line.jobs, offset);
  Job* const* const next = groups.after(line.jobs);
  return next == nullptr ? Line{groups.first(), 0, 0, Shape::even} : line_at(next, 0);
}

}  // namespace aes_cbc
