// Lines: which blocks of a group are encrypted next.
#pragma once

#include <algorithm>

#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/17-transposed-keys/transpose.hpp"
#include "aes-cbc/20-aligned-lines/group.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

enum class Shape { whole, even, ragged };  // of a line: four blocks in each lane, fewer in each, or in each what it has

// Up to four blocks of each lane of a group.
struct Line {
  Job* const* jobs;  // the group: as many jobs as there are lanes, shortest first
  std::size_t offset;
  unsigned blocks;
  Shape shape;
};

// The first lane decides about alignment. The others have the same where buffers lie a multiple of 64 bytes apart.
static inline Line line_at(Job* const* jobs, std::size_t offset) {
  const std::size_t shortest = jobs[0]->size, longest = jobs[width - 1]->size;
  std::size_t size = std::min(longest - offset, line_bytes);
  if (offset == 0 && shortest >= worth_aligning) {
    const auto begin = reinterpret_cast<std::uintptr_t>(jobs[0]->out);
    if (const std::size_t to_line = -begin % line_bytes / block_bytes; to_line != 0) size = to_line * block_bytes;
  }
  const bool everywhere = shortest == longest || offset + size <= shortest;
  const Shape shape = !everywhere ? Shape::ragged : size == line_bytes ? Shape::whole : Shape::even;
  return {jobs, offset, static_cast<unsigned>(size / block_bytes), shape};
}

}  // namespace aes_cbc
