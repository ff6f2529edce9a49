// Loop fission: each part of HMAC is a loop over the jobs of a group, so the messages are hashed by one function.
#include "common/multibuffer/waiting.hpp"
#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/08-loop-fission/group.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

namespace {

constexpr std::size_t group = 2;

void hash(State* states, const Message* messages, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t b = 0; b < messages[i].blocks; ++b) compress(states[i], load(messages[i].block(b)));
  }
}

struct Processor {
  void operator()(std::span<Job* const> jobs) const { hash_group<group>(jobs, hash); }
};

}  // namespace

struct Manager : ladder::WaitingManager<Job, group, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
