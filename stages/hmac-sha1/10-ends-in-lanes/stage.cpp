// 10 Keys, padding and digests go through the lanes, too: hardly a word of them is handled alone.
// variants: no-steps
#include <algorithm>
#include <cstring>
#include <utility>

#include "hmac-sha1/gathering.hpp"
#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/steps.hpp"
#include "hmac-sha1/transpose.hpp"

namespace hmac_sha1 {

#if defined(__AVX512F__)
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr std::size_t lanes = 8;
#else
constexpr std::size_t lanes = 4;
#endif

// The end of a message up to byte 64, and behind it, for good, what it is padded with, but for its length.
struct Tail {
  std::uint8_t bytes[3 * block_bytes] = {};

  Tail() { bytes[block_bytes] = 0x80; }

  // Where the blocks begin that the last bytes of the message are in.
  const std::uint8_t* with_end_of(const Job& job) {
    std::uint8_t* const end = bytes + block_bytes;
    const std::size_t rest = job.size % block_bytes;
    if (job.size >= block_bytes) {
      std::memcpy(bytes, job.data + job.size - block_bytes, block_bytes);  // a whole block is faster than some bytes
    } else if (rest != 0) {
      std::memcpy(end - rest, job.data, rest);
    }
    return end - rest;
  }
};

struct Manager : Gathering {
  Tail tails[lanes];
};

namespace {

using Lanes [[gnu::vector_size(4 * lanes)]] = Word;  // the same word of each message

Lanes as_lanes(const Word (&of_each)[lanes]) {
  Lanes x;
  std::memcpy(&x, of_each, sizeof x);
  return x;
}

// The 64 bytes at which each lane stands, as words in memory's order: a row is a vector full of one lane's.
[[gnu::always_inline]] inline BlockOf<Lanes> load_rows(const std::uint8_t* const (&at)[lanes]) {
  BlockOf<Lanes> rows;
  for (std::size_t part = 0; part < words; part += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      std::memcpy(&rows[part + lane], at[lane] + 4 * part, sizeof(Lanes));
  }
  transpose(rows);
  return rows;
}

[[gnu::always_inline]] inline BlockOf<Lanes> load_reversed(const std::uint8_t* const (&at)[lanes]) {
  BlockOf<Lanes> w = load_rows(at);
  for (Lanes& word : w) word = bytes_reversed(word);
  return w;
}

// A key that changes nothing: the hash of the message alone.
constexpr Key no_key{initial_state, initial_state, {}};

// One job a lane; where there are fewer, the first one is in the others, too.
void work_on(Tail (&tails)[lanes], std::span<Job* const> jobs) {
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
  const BlockOf<Lanes> key = load_rows(at);  // its first ten words
  StateOf<Lanes> inner{key[0], key[1], key[2], key[3], key[4]}, outer{key[5], key[6], key[7], key[8], key[9]};

  std::copy(data, data + lanes, at);
  for (Word b = 0; b < shortest; ++b) {
    compress(inner, load_reversed(at));
    for (const std::uint8_t*& place : at) place += block_bytes;
  }
  for (Word b = shortest; b < longest; ++b) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      at[lane] = b < whole[lane] ? data[lane] + block_bytes * b : tail[lane] + block_bytes * (b > whole[lane]);
    }
    BlockOf<Lanes> w = load_reversed(at);
    const auto last = as_lanes(blocks) == b + 1, live = as_lanes(blocks) > b;
    w[14] = last ? as_lanes(high_bits) : w[14];
    w[15] = last ? as_lanes(bits) : w[15];
    const StateOf<Lanes> before = inner;
    compress(inner, std::move(w));
    for (int i = 0; i < 5; ++i) inner[i] = live ? inner[i] : before[i];
  }

  if (any_key) {
    BlockOf<Lanes> w{inner[0], inner[1], inner[2], inner[3], inner[4], Lanes{} + 0x80000000};
    w[15] += 8 * (block_bytes + digest_bytes);
    compress(outer, std::move(w));
  }

  BlockOf<Lanes> digests{};
  for (int i = 0; i < 5; ++i) digests[i] = bytes_reversed(as_lanes(keyed) ? outer[i] : inner[i]);
  transpose(digests);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    Word digest[words];
    for (std::size_t part = 0; part < 5; part += lanes)
      std::memcpy(digest + part, &digests[part + lane], sizeof(Lanes));
    std::memcpy(jobs[lane]->digest, digest, jobs[lane]->digest_size);
  }
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) { return submit<work_on, lanes>(manager, job); }
Job* flush(Manager& manager) { return flush<work_on, lanes>(manager); }
void batch(Manager& manager, std::span<Job> jobs) { batch<work_on, lanes>(manager, jobs); }

}  // namespace hmac_sha1
