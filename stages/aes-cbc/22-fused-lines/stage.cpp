// Loop fusion, where jobs share a key: one loop over the lines of a group, whatever their shape.
// requires: x86-64-v4 vaes
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/19-transposed-loads/line_blocks.hpp"
#include "aes-cbc/21-short-buffers/own_keys_by_size.hpp"
#include "aes-cbc/22-fused-lines/line.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

[[gnu::always_inline]] inline void encrypt_line(const Line& line, auto&& round_key, FourBlocks (&chained)[vectors]) {
  if (line.shape == Shape::whole) return encrypt<4, Ends::together>(line.jobs, line.offset, round_key, chained);
  if (line.shape == Shape::ragged) return encrypt<4, Ends::apart>(line.jobs, line.offset, round_key, chained);
  encrypt_few(line.jobs, line.offset, line.blocks * block_bytes, round_key, chained);
}

struct FusedLines {
  static void encrypt_group(Job* const* jobs, auto round_key) {
    FourBlocks chained[vectors];
    load_ivs(chained, jobs);
    for (std::size_t offset = 0; offset < jobs[width - 1]->size;) {
      const Line line = line_at(jobs, offset);
      encrypt_line(line, round_key, chained);
      offset += line.blocks * block_bytes;
    }
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor<SharedKey<FusedLines>, OwnKeysBySize>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
