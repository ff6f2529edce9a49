// Sixteen lanes by VAES: one instruction does a round of a block of each of four buffers.
// requires: x86-64-v4 vaes
#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/15-sixteen-lanes/group.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

class Processor {
 public:
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) {
    const auto round_key = [&](unsigned v, unsigned round) { return own_key(round_keys_, v, round); };
    Groups<width>(jobs).for_each([&](Job* const* group) {
      BlockByBlock::lay_out(round_keys_, group);
      BlockByBlock::encrypt_group(group, round_key);
    });
  }

 private:
  RoundKeys<vectors> round_keys_;
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
