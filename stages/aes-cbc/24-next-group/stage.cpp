// Loop flattening, where jobs share a key: one loop over the lines of all groups, so the next group follows at once.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/21-short-buffers/own_keys_by_size.hpp"
#include "aes-cbc/22-fused-lines/line.hpp"
#include "aes-cbc/23-line-descriptors/line_parts.hpp"
#include "aes-cbc/24-next-group/after.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

struct LineByLineOfAllGroups {
  static void encrypt(const Groups<width>& groups, const Key& key) {
    const OneKey round_key(key);
    FourBlocks chained[vectors];
    for (Line line = line_at(groups.first(), 0); line.blocks != 0; line = line_after(line, groups)) {
      if (line.offset == 0) load_ivs(chained, line.jobs);
      encrypt_line(line, chained, round_key);
    }
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor<LineByLineOfAllGroups, OwnKeysBySize>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
