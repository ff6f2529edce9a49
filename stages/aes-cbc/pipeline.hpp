// What stages 14 and 15 came to, for stage 17: a pipeline of lines where one key is for all, and sorted jobs in groups.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/groups.hpp"
#include "aes-cbc/lines.hpp"

namespace aes_cbc {

static std::uint8_t nothing[line_bytes];  // a buffer for empty jobs

enum class Shape { whole, even, ragged };  // of a line: four blocks in each lane, fewer in each, or in each what it has

// Up to four blocks of each lane of a group, for which one key is enough.
struct Line {
  Job* const* jobs;  // the group: as many jobs as there are lanes, least first
  std::size_t offset;
  unsigned blocks;
  Shape shape;
};

// Lanes mostly lie alike: the first one speaks for all.
static inline Line line_at(Job* const* jobs, std::size_t offset) {
  const std::size_t least = jobs[0]->size, most = jobs[width - 1]->size;
  std::size_t size = std::min(most - offset, line_bytes);
  if (offset == 0 && least >= worth_it) {
    const auto begin = reinterpret_cast<std::uintptr_t>(jobs[0]->out);
    if (const std::size_t to_border = -begin % line_bytes / block_bytes; to_border != 0) size = to_border * block_bytes;
  }
  const bool everywhere = least == most || offset + size <= least;
  const Shape shape = !everywhere ? Shape::ragged : size == line_bytes ? Shape::whole : Shape::even;
  return {jobs, offset, static_cast<unsigned>(size / block_bytes), shape};
}

template <Shape shape>
[[gnu::always_inline]] static inline __mmask8 mask_of(const Line& line, unsigned lane) {
  if (shape == Shape::whole) return 0xFF;
  if (shape == Shape::even) return mask(line.blocks * block_bytes);
  const std::size_t size = line.jobs[lane]->size;
  return mask(size - std::min(size, line.offset));
}

// A lane that has ended goes back to where it began, though no word of it is touched: there is memory for sure.
template <Shape shape>
[[gnu::always_inline]] static inline std::size_t place_of(const Line& line, unsigned lane) {
  return shape == Shape::ragged && line.offset >= line.jobs[lane]->size ? 0 : line.offset;
}

// Four lanes of a line become column v of its blocks, and back.
template <Shape shape>
[[gnu::always_inline]] static inline void load_lanes(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  Vector x[4];
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = 4 * v + i;
    x[i] = load_once(line.jobs[lane]->in + place_of<shape>(line, lane), mask_of<shape>(line, lane));
  }
  transpose(x);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) blocks[i][v] = x[i];
}
template <Shape shape>
[[gnu::always_inline]] static inline void store_lanes(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  Vector x[4] = {blocks[0][v], blocks[1][v], blocks[2][v], blocks[3][v]};
  transpose(x);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = 4 * v + i;
    store(line.jobs[lane]->out + place_of<shape>(line, lane), x[i], mask_of<shape>(line, lane));
  }
}
[[gnu::always_inline]] static inline void load_lanes(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  if (line.shape == Shape::whole) return load_lanes<Shape::whole>(blocks, line, v);
  if (line.shape == Shape::even) return load_lanes<Shape::even>(blocks, line, v);
  load_lanes<Shape::ragged>(blocks, line, v);
}
[[gnu::always_inline]] static inline void store_lanes(Vector (*blocks)[vectors], const Line& line, unsigned v) {
  if (line.shape == Shape::whole) return store_lanes<Shape::whole>(blocks, line, v);
  if (line.shape == Shape::even) return store_lanes<Shape::even>(blocks, line, v);
  store_lanes<Shape::ragged>(blocks, line, v);
}

// Groups that begin with `first` and go on with `jobs`. While a line is enciphered, the next one comes and the last one
// goes.
static inline void encrypt_with_one_key(Job* const* first, Job* const* jobs, Job* const* end) {
  const Line none{first, 0, 0, Shape::even};
  const auto after = [&](const Line& line) {
    const std::size_t offset = line.offset + line.blocks * block_bytes;
    if (offset < line.jobs[width - 1]->size) return line_at(line.jobs, offset);
    Job* const* const next = line.jobs == first ? jobs : line.jobs + width;
    return next == end ? none : line_at(next, 0);
  };
  Vector keys[rounds + 1];
#pragma GCC unroll 11
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&first[width - 1]->key->encrypting[round]);
  Vector blocks[3][4][vectors], chained[vectors];
  auto *coming = blocks[0], *here = blocks[1], *going = blocks[2];
  Line last = none, line = line_at(first, 0);
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) load_lanes(here, line, v);
  while (line.blocks != 0) {
    const Line next = after(line);
    if (line.offset == 0) load_ivs(chained, line.jobs);
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; ++i) {
      load_lanes(coming, next, i);
      if (i < line.blocks) {
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) chained[v] ^= here[i][v];
        encrypt(chained, [&](unsigned, unsigned round) { return keys[round]; });
#pragma GCC unroll 4
        for (unsigned v = 0; v < vectors; ++v) here[i][v] = chained[v];
      }
      store_lanes(going, last, i);
    }
    last = std::exchange(line, next);
    std::swap(going, here);
    std::swap(here, coming);
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) store_lanes(going, last, v);
}

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others. Out of line: `submit` seldom
// comes here.
[[gnu::noinline]] static void encrypt_sorted(RoundKeys<vectors>& round_keys, Job* const* jobs, std::size_t count,
                                             bool shared) {
  Job* const* const end = jobs + count;
  while (jobs != end && jobs[0]->size == 0) ++jobs;
  if (jobs == end) return;
  const std::size_t few = static_cast<std::size_t>(end - jobs) % width;
  Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
  std::array<Job*, width> padded;
  padded.fill(&empty);
  std::copy_n(jobs, few, padded.end() - few);
  Job* const* const first = few != 0 ? padded.data() : jobs;
  jobs += few != 0 ? few : width;
  if (shared) {
    encrypt_with_one_key(first, jobs, end);
  } else {
    encrypt_with_keys(round_keys, first, jobs, end);
  }
}

}  // namespace aes_cbc
