// Line descriptors, where jobs share a key: loads and stores depend on the shape of a line, and the rounds do not.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/21-short-buffers/own_keys_by_size.hpp"
#include "aes-cbc/22-fused-lines/line.hpp"
#include "aes-cbc/23-line-descriptors/line_parts.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

struct LineByLineOfAGroup {
  static void encrypt(const Groups<width>& groups, const Key& key) {
    const OneKey round_key(key);
    groups.for_each([&](Job* const* group) {
      FourBlocks chained[vectors];
      load_ivs(chained, group);
      const std::size_t longest = group[width - 1]->size;
      for (std::size_t offset = 0; offset < longest;) {
        const Line line = line_at(group, offset);
        encrypt_line(line, chained, round_key);
        offset += line.blocks * block_bytes;
      }
    });
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor<LineByLineOfAGroup, OwnKeysBySize>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
