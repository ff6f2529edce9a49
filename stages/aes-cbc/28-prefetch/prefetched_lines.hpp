// Prefetches the text of long buffers.
#pragma once

#include <xmmintrin.h>

#include "aes-cbc/20-aligned-lines/group.hpp"
#include "aes-cbc/21-short-buffers/own_keys_by_size.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr std::size_t ahead = 4 * line_bytes;

// The last prefetches of a buffer are behind its end. A prefetch never faults.
struct TextAhead {
  [[gnu::always_inline]] static void line(Job* const* jobs, std::size_t offset) {
    for (unsigned lane = 0; lane < width; ++lane) {
      _mm_prefetch(reinterpret_cast<const char*>(jobs[lane]->in + offset + ahead), _MM_HINT_T0);
    }
  }
};

using PrefetchedOwnKeys = OwnKeysBySizeWith<AlignedLinesWith<TextAhead>>;

}  // namespace aes_cbc
