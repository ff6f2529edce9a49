// Short buffers in eight lanes: their round keys stay in registers after the transposition.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/20-aligned-lines/group.hpp"
#include "aes-cbc/21-short-buffers/processor.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

struct GroupByGroup {
  static void encrypt(const Groups<width>& groups, const Key& key) {
    FourBlocks round_keys[rounds + 1];
    for (unsigned round = 0; round <= rounds; ++round) round_keys[round] = repeat(&key.encrypting[round]);
    const auto round_key = [&](unsigned, unsigned round) { return round_keys[round]; };
    groups.for_each([&](Job* const* group) { AlignedLines::encrypt_group(group, round_key); });
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor<GroupByGroup>, Summary> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
