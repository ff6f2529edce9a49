// Gathering window: submitted jobs wait until there are 128, are sorted like a batch, and go back one at a time.
// requires: aes
#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/09-sort-by-length/encrypt_group.hpp"
#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

struct Processor {
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) const {
    const auto encrypt_lanes = [](Lanes<width>& lanes, std::size_t size) { encrypt(lanes, size); };
    Groups<width>(jobs).for_each([&](Job* const* group) { encrypt_group(group, encrypt_lanes); });
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor> {};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
