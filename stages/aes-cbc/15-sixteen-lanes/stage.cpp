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
    OwnKeys<BlockByBlock>::encrypt(round_keys_, Groups<width>(jobs));
  }

 private:
  RoundKeys<vectors> round_keys_;
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
