// 14 Thirty-two messages in two full vectors: what one set waits for, the other one uses.
// requires: x86-64-v4
#include <algorithm>
#include <cstring>
#include <utility>

#include "hmac-sha1/gathering.hpp"
#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/steps.hpp"
#include "hmac-sha1/tail.hpp"
#include "hmac-sha1/transpose.hpp"

namespace hmac_sha1 {

constexpr std::size_t width = 16, lanes = 2 * width;

struct Manager : Gathering {
  Tail tails[lanes];
};

namespace {

using Vector [[gnu::vector_size(4 * width)]] = Word;
struct Lanes {  // the same word of each message
  Vector a, b;
};
Lanes operator+(Lanes x, Lanes y) { return {x.a + y.a, x.b + y.b}; }
Lanes operator+(Lanes x, Word y) { return {x.a + y, x.b + y}; }
Lanes operator&(Lanes x, Lanes y) { return {x.a & y.a, x.b & y.b}; }
Lanes operator|(Lanes x, Lanes y) { return {x.a | y.a, x.b | y.b}; }
Lanes operator^(Lanes x, Lanes y) { return {x.a ^ y.a, x.b ^ y.b}; }
Lanes operator<<(Lanes x, int n) { return {x.a << n, x.b << n}; }
Lanes operator>>(Lanes x, int n) { return {x.a >> n, x.b >> n}; }
Lanes select(Lanes mask, Lanes x, Lanes y) { return {mask.a ? x.a : y.a, mask.b ? x.b : y.b}; }

Lanes as_lanes(const Word (&words)[lanes]) {
  Lanes x;
  std::memcpy(&x, words, sizeof x);
  return x;
}

// The 64 bytes at which each lane of a vector stands, as words in memory's order.
[[gnu::always_inline]] inline BlockOf<Vector> load_vector(const std::uint8_t* const* at) {
  BlockOf<Vector> rows;
  for (std::size_t part = 0; part < words; part += width) {
    for (std::size_t lane = 0; lane < width; ++lane)
      std::memcpy(&rows[part + lane], at[lane] + 4 * part, sizeof(Vector));
  }
  transpose(rows);
  return rows;
}

[[gnu::always_inline]] inline BlockOf<Lanes> load(const std::uint8_t* const (&at)[lanes]) {
  const BlockOf<Vector> a = load_vector(at), b = load_vector(at + width);
  BlockOf<Lanes> w;
  for (std::size_t i = 0; i < words; ++i) w[i] = {a[i], b[i]};
  return w;
}

[[gnu::always_inline]] inline BlockOf<Lanes> load_reversed(const std::uint8_t* const (&at)[lanes]) {
  BlockOf<Lanes> w = load(at);
  for (Lanes& word : w) word = {bytes_reversed(word.a), bytes_reversed(word.b)};
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
  const BlockOf<Lanes> key = load(at);  // its first ten words
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
    const Lanes number = as_lanes(blocks);
    const Lanes last{Vector(number.a == b + 1), Vector(number.b == b + 1)},
        live{Vector(number.a > b), Vector(number.b > b)};
    w[14] = select(last, as_lanes(high_bits), w[14]);
    w[15] = select(last, as_lanes(bits), w[15]);
    const StateOf<Lanes> before = inner;
    compress(inner, std::move(w));
    for (int i = 0; i < 5; ++i) inner[i] = select(live, inner[i], before[i]);
  }

  if (any_key) {
    BlockOf<Lanes> w{inner[0], inner[1], inner[2], inner[3], inner[4], Lanes{} + 0x80000000};
    w[15] = w[15] + 8 * (block_bytes + digest_bytes);
    compress(outer, std::move(w));
  }

  BlockOf<Vector> digests[2] = {};
  for (int i = 0; i < 5; ++i) {
    const Lanes word = select(as_lanes(keyed), outer[i], inner[i]);
    digests[0][i] = bytes_reversed(word.a);
    digests[1][i] = bytes_reversed(word.b);
  }
  transpose(digests[0]);
  transpose(digests[1]);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    std::memcpy(jobs[lane]->digest, &digests[lane / width][lane % width], jobs[lane]->digest_size);
  }
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  key = {};
  if (bytes.size() > block_bytes) {
    Job job{bytes.data(), bytes.size(), nullptr, key.padded.data(), digest_bytes, Status::waiting};
    Manager manager;
    batch(manager, {&job, 1});
  } else if (!bytes.empty()) {
    std::memcpy(key.padded.data(), bytes.data(), bytes.size());
  }
  key.inner = after_pad(key, 0x36);
  key.outer = after_pad(key, 0x5C);
}

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) { return submit<work_on, lanes>(manager, job); }
Job* flush(Manager& manager) { return flush<work_on, lanes>(manager); }
void batch(Manager& manager, std::span<Job> jobs) { batch<work_on, lanes>(manager, jobs); }

}  // namespace hmac_sha1
