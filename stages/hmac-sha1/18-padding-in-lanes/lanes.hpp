// HMAC of a group of messages in lanes, with padding that is prepared once.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "hmac-sha1/07-generic-steps/compress.hpp"
#include "hmac-sha1/13-transpose/load.hpp"
#include "hmac-sha1/15-counting-sort/groups.hpp"
#include "hmac-sha1/17-states-in-lanes/states.hpp"
#include "hmac-sha1/18-padding-in-lanes/tail.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

// Compresses a block of each message, which is loaded whole. `finish` completes words 14 and 15 of a last block.
template <class Replaced = Operations>
struct WholeBlocks {
  using Operations = Replaced;

  template <class Lanes>
  static void absorb(StateOf<Lanes>& state, const std::uint8_t* const* at, auto finish) {
    BlockOf<Lanes> w = load_reversed<Lanes>(at);
    finish(w);
    compress(state, std::move(w), Replaced{});
  }
};

// One job a lane. Lanes without a job repeat the first one.
template <class Lanes, class Blocks>
static void hash_group(Tail (&tails)[lanes_of<Lanes>], std::span<Job* const> jobs) {
  constexpr std::size_t lanes = lanes_of<Lanes>;
  const std::uint8_t *data[lanes], *tail[lanes], *at[lanes];
  alignas(Lanes) Word whole[lanes], blocks[lanes], bits[lanes], high_bits[lanes], keyed[lanes];
  Word shortest = UINT32_MAX, longest = 0;
  bool any_key = false;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Job& job = *jobs[lane < jobs.size() ? lane : 0];
    data[lane] = job.data;
    tail[lane] = tails[lane].with_end_of(job);
    whole[lane] = static_cast<Word>(job.size / block_bytes);
    blocks[lane] = static_cast<Word>(blocks_of(job));
    shortest = std::min(shortest, whole[lane]);
    longest = std::max(longest, blocks[lane]);
    const std::uint64_t hashed = job.size + (job.key ? block_bytes : 0);
    bits[lane] = static_cast<Word>(8 * hashed);
    high_bits[lane] = static_cast<Word>(hashed >> 29);
    keyed[lane] = job.key ? UINT32_MAX : 0;
    any_key |= job.key != nullptr;
    at[lane] = reinterpret_cast<const std::uint8_t*>(job.key ? job.key : &no_key);
  }
  BlockOf<Lanes> key;  // its first ten words
  load_rows(key, at);
  StateOf<Lanes> inner{key[0], key[1], key[2], key[3], key[4]}, outer{key[5], key[6], key[7], key[8], key[9]};

  std::copy(data, data + lanes, at);
  for (Word b = 0; b < shortest; ++b) {
    Blocks::absorb(inner, at, [](BlockOf<Lanes>&) {});
    for (const std::uint8_t*& place : at) place += block_bytes;
  }
  for (Word b = shortest; b < longest; ++b) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      at[lane] = b < whole[lane] ? data[lane] + block_bytes * b : tail[lane] + block_bytes * (b > whole[lane]);
    }
    const auto number = as_lanes<Lanes>(blocks);
    const auto last = number == b + 1, live = number > b;
    const StateOf<Lanes> before = inner;
    Blocks::absorb(inner, at, [&](BlockOf<Lanes>& w) {
      w[14] = select(last, as_lanes<Lanes>(high_bits), w[14]);
      w[15] = select(last, as_lanes<Lanes>(bits), w[15]);
    });
    for (int i = 0; i < 5; ++i) inner[i] = select(live, inner[i], before[i]);
  }

  if (any_key) {
    BlockOf<Lanes> w{inner[0], inner[1], inner[2], inner[3], inner[4], Lanes{} + Word{0x80000000}};
    w[15] = w[15] + Word{8 * (block_bytes + digest_bytes)};
    compress(outer, std::move(w), typename Blocks::Operations{});
  }

  StateOf<Lanes> digests;
  for (int i = 0; i < 5; ++i) digests[i] = select(as_lanes<Lanes>(keyed), outer[i], inner[i]);
  store_digests(jobs, digests);
}

template <class Lanes, class Blocks = WholeBlocks<>>
class LaneProcessor {
 public:
  void operator()(std::span<Job* const> jobs, const auto& /*summary*/) {
    const auto process = [&](std::span<Job* const> group) { hash_group<Lanes, Blocks>(tails_, group); };
    for_each_group<lanes_of<Lanes>>(jobs, process);
  }

 private:
  Tail tails_[lanes_of<Lanes>];
};

}  // namespace hmac_sha1
