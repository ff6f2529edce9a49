// States stay in lanes: keys and digests are transposed, and the block of the outer hash is the inner state.
#include <algorithm>
#include <utility>

#include "common/multibuffer/gathering.hpp"
#include "hmac-sha1/01-pads/message.hpp"
#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/12-wider-vectors/widest.hpp"
#include "hmac-sha1/15-counting-sort/groups.hpp"
#include "hmac-sha1/17-states-in-lanes/states.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {
namespace {

// One job a lane. Lanes without a job repeat the first one. A lane whose message has ended repeats its last block.
void hash_group(std::span<Job* const> jobs) {
  Message messages[lanes];
  const std::uint8_t* at[lanes];
  alignas(Lanes) Word blocks[lanes], keyed[lanes];
  Word longest = 0;
  bool any_key = false;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Job& job = *jobs[lane < jobs.size() ? lane : 0];
    messages[lane] = padded(job.data, job.size, job.key ? block_bytes : 0);
    blocks[lane] = static_cast<Word>(messages[lane].blocks);
    longest = std::max(longest, blocks[lane]);
    keyed[lane] = job.key ? UINT32_MAX : 0;
    any_key |= job.key != nullptr;
    at[lane] = reinterpret_cast<const std::uint8_t*>(job.key ? job.key : &no_key);
  }
  BlockOf<Lanes> key;  // its first ten words
  load_rows(key, at);
  StateOf<Lanes> inner{key[0], key[1], key[2], key[3], key[4]}, outer{key[5], key[6], key[7], key[8], key[9]};

  for (Word b = 0; b < longest; ++b) {
    for (std::size_t lane = 0; lane < lanes; ++lane) at[lane] = messages[lane].block(std::min(b, blocks[lane] - 1));
    const auto live = as_lanes<Lanes>(blocks) > b;
    const StateOf<Lanes> before = inner;
    compress(inner, load_reversed<Lanes>(at));
    for (int i = 0; i < 5; ++i) inner[i] = select(live, inner[i], before[i]);
  }

  if (any_key) {
    BlockOf<Lanes> w{inner[0], inner[1], inner[2], inner[3], inner[4], Lanes{} + Word{0x80000000}};
    w[15] = w[15] + Word{8 * (block_bytes + digest_bytes)};
    compress(outer, std::move(w));
  }

  StateOf<Lanes> digests;
  for (int i = 0; i < 5; ++i) digests[i] = select(as_lanes<Lanes>(keyed), outer[i], inner[i]);
  store_digests(jobs, digests);
}

struct Processor {
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) const {
    for_each_group<lanes>(jobs, [](std::span<Job* const> group) { hash_group(group); });
  }
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor> {};

}  // namespace hmac_sha1

#include "hmac-sha1/01-pads/prepare.hpp"
#include "hmac-sha1/functions.hpp"
