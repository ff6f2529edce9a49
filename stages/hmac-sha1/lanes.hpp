// What stage 10 came to, for stages 12 to 15 and 17: messages in lanes, from their keys to their digests.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "hmac-sha1/gathering.hpp"
#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/steps.hpp"
#include "hmac-sha1/tail.hpp"
#include "hmac-sha1/transpose.hpp"

namespace hmac_sha1 {

// What `work_on` wants of Lanes, a type that holds the same word of each message, besides the operators of a step and
// `==` and `>` with a word. Here for a vector; a stage with other lanes has its own.

// The 64 bytes at which each lane stands, as words in memory's order: a row is a vector full of one lane's.
template <class Vector>
[[gnu::always_inline]] static inline void load_rows(BlockOf<Vector>& rows, const std::uint8_t* const* at) {
  constexpr std::size_t lanes = lanes_of<Vector>;
  for (std::size_t part = 0; part < words; part += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      std::memcpy(&rows[part + lane], at[lane] + 4 * part, sizeof(Vector));
  }
  transpose(rows);
}

template <class Vector>
static Vector select(auto mask, Vector x, Vector y) {
  return mask ? x : y;
}

// Of as many jobs as there are lanes, or fewer.
template <class Vector>
[[gnu::always_inline]] static inline void store_digests(std::span<Job* const> jobs, const StateOf<Vector>& states) {
  constexpr std::size_t lanes = lanes_of<Vector>;
  BlockOf<Vector> digests{};
  for (int i = 0; i < 5; ++i) digests[i] = bytes_reversed(states[i]);
  transpose(digests);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    Word digest[words];
    for (std::size_t part = 0; part < 5; part += lanes)
      std::memcpy(digest + part, &digests[part + lane], sizeof(Vector));
    std::memcpy(jobs[lane]->digest, digest, jobs[lane]->digest_size);
  }
}

// Jobs in the lanes of any kind.

template <class Lanes>
static Lanes as_lanes(const Word (&of_each)[lanes_of<Lanes>]) {
  Lanes x;
  std::memcpy(&x, of_each, sizeof x);
  return x;
}

template <class Lanes>
[[gnu::always_inline]] static inline BlockOf<Lanes> load_reversed(const std::uint8_t* const* at) {
  BlockOf<Lanes> w;
  load_rows(w, at);
  for (Lanes& word : w) word = bytes_reversed(word);
  return w;
}

// How a block of each message gets into its state; `finish` makes of the last words what they are in a last block.
struct Whole {
  template <class Lanes>
  static void absorb(StateOf<Lanes>& state, const std::uint8_t* const* at, auto finish) {
    BlockOf<Lanes> w = load_reversed<Lanes>(at);
    finish(w);
    compress(state, std::move(w));
  }
};

// A key that changes nothing: the hash of the message alone.
constexpr Key no_key{initial_state, initial_state, {}};

// One job a lane; where there are fewer, the first one is in the others, too.
template <class Lanes, class Block = Whole>
static void work_on(Tail (&tails)[lanes_of<Lanes>], std::span<Job* const> jobs) {
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
    blocks[lane] = blocks_of(job);
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
    Block::absorb(inner, at, [](BlockOf<Lanes>&) {});
    for (const std::uint8_t*& place : at) place += block_bytes;
  }
  for (Word b = shortest; b < longest; ++b) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      at[lane] = b < whole[lane] ? data[lane] + block_bytes * b : tail[lane] + block_bytes * (b > whole[lane]);
    }
    const auto number = as_lanes<Lanes>(blocks);
    const auto last = number == b + 1, live = number > b;
    const StateOf<Lanes> before = inner;
    Block::absorb(inner, at, [&](BlockOf<Lanes>& w) {
      w[14] = select(last, as_lanes<Lanes>(high_bits), w[14]);
      w[15] = select(last, as_lanes<Lanes>(bits), w[15]);
    });
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

}  // namespace hmac_sha1
