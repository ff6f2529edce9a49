// 12 Sixteen messages in two vectors of half the width: what one waits for, the other one uses.
// requires: x86-64-v4
// variants: no-steps
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

constexpr std::size_t half = 8, lanes = 2 * half;
constexpr std::size_t words = 16;  // of a block

constexpr std::size_t window = 128;  // jobs that submit gathers
constexpr std::size_t most = 1'024;  // jobs that are sorted at once

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

struct Manager {
  Problem problem = Problem::none;
  Job* jobs[most];
  std::size_t count = 0;          // the first so many wait for company
  std::size_t next = 0, end = 0;  // from next to end they are finished, and go back one at a time
  Job* sorted[most];
  Tail tails[lanes];
};

namespace {

using Word = std::uint32_t;
using Half [[gnu::vector_size(4 * half)]] = Word;
struct Lanes {  // the same word of each message
  Half a, b;
};
Lanes operator+(Lanes x, Lanes y) { return {x.a + y.a, x.b + y.b}; }
Lanes operator+(Lanes x, Word y) { return {x.a + y, x.b + y}; }
Lanes operator&(Lanes x, Lanes y) { return {x.a & y.a, x.b & y.b}; }
Lanes operator|(Lanes x, Lanes y) { return {x.a | y.a, x.b | y.b}; }
Lanes operator^(Lanes x, Lanes y) { return {x.a ^ y.a, x.b ^ y.b}; }
Lanes operator<<(Lanes x, int n) { return {x.a << n, x.b << n}; }
Lanes operator>>(Lanes x, int n) { return {x.a >> n, x.b >> n}; }
Lanes select(Lanes mask, Lanes x, Lanes y) { return {mask.a ? x.a : y.a, mask.b ? x.b : y.b}; }

template <class AnyWord>
using StateOf = std::array<AnyWord, 5>;
template <class AnyWord>
using BlockOf = std::array<AnyWord, words>;  // words t - 16 to t - 1 of the schedule, each in place t % 16

BlockOf<Word> load(const std::uint8_t* bytes) {
  BlockOf<Word> w;
  for (int t = 0; t < 16; ++t, bytes += 4) {
    w[t] = Word{bytes[0]} << 24 | Word{bytes[1]} << 16 | Word{bytes[2]} << 8 | bytes[3];
  }
  return w;
}

Lanes as_lanes(const Word (&words)[lanes]) {
  Lanes x;
  std::memcpy(&x, words, sizeof x);
  return x;
}

template <class AnyWord>
[[gnu::always_inline]] inline AnyWord rotl(AnyWord x, int n) {
  return x << n | x >> (32 - n);
}

template <int quarter, class AnyWord>
[[gnu::always_inline]] inline void step(int t, BlockOf<AnyWord>& w, AnyWord a, AnyWord& b, AnyWord c, AnyWord d,
                                        AnyWord& e) {
  constexpr Word k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
  if (t >= 16) w[t % 16] = rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
  const AnyWord f = quarter == 0 ? d ^ (b & (c ^ d)) : quarter == 2 ? (b & c) | (d & (b | c)) : b ^ c ^ d;
  e = e + (w[t % 16] + k[quarter]) + f + rotl(a, 5);
  b = rotl(b, 30);
}

// After five steps every word has its name again.
template <int quarter, class AnyWord>
[[gnu::always_inline]] inline void twenty_steps(BlockOf<AnyWord>& w, AnyWord& a, AnyWord& b, AnyWord& c, AnyWord& d,
                                                AnyWord& e) {
#pragma GCC unroll 4
  for (int t = 20 * quarter; t < 20 * quarter + 20; t += 5) {
    step<quarter>(t, w, a, b, c, d, e);
    step<quarter>(t + 1, w, e, a, b, c, d);
    step<quarter>(t + 2, w, d, e, a, b, c);
    step<quarter>(t + 3, w, c, d, e, a, b);
    step<quarter>(t + 4, w, b, c, d, e, a);
  }
}

template <class AnyWord>
void compress(StateOf<AnyWord>& state, BlockOf<AnyWord>&& w) {
  if constexpr (steps == 0) {
    for (AnyWord& word : state) word = word + word;
    return;
  }
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(w, a, b, c, d, e);
  twenty_steps<1>(w, a, b, c, d, e);
  twenty_steps<2>(w, a, b, c, d, e);
  twenty_steps<3>(w, a, b, c, d, e);
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

template <std::size_t... i>
Half bytes_reversed(Half x, std::index_sequence<i...>) {
  using Bytes [[gnu::vector_size(sizeof(Half))]] = std::uint8_t;
  return (Half)__builtin_shufflevector((Bytes)x, (Bytes)x, (i ^ 3)...);
}

Half bytes_reversed(Half x) { return bytes_reversed(x, std::make_index_sequence<sizeof(Half)>()); }

// Of each four words a0 b0 a1 b1 and a2 b2 a3 b3: one instruction each, and done twice it mirrors four rows.
template <std::size_t... i>
[[gnu::always_inline]] inline void interleave(Half& a, Half& b, std::index_sequence<i...>) {
  const Half low = __builtin_shufflevector(a, b, (i / 4 * 4 + i % 4 / 2 + i % 2 * half)...);
  b = __builtin_shufflevector(a, b, (i / 4 * 4 + 2 + i % 4 / 2 + i % 2 * half)...);
  a = low;
}

// Swaps the odd groups of `span` words in `a` with the even groups in `b`.
template <std::size_t span, std::size_t... i>
[[gnu::always_inline]] inline void swap_groups(Half& a, Half& b, std::index_sequence<i...>) {
  const Half even = __builtin_shufflevector(a, b, (i & span ? half + i - span : i)...);
  b = __builtin_shufflevector(a, b, (i & span ? half + i : i + span)...);
  a = even;
}

// Every square of `half` rows of as many words is mirrored at its diagonal.
template <std::size_t apart = half / 2>
[[gnu::always_inline]] inline void transpose(BlockOf<Half>& rows) {
  constexpr std::make_index_sequence<half> every;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < words; ++i) {
    if (i & apart) continue;
    if constexpr (apart >= 4) {
      swap_groups<apart>(rows[i], rows[i + apart], every);
    } else {
      interleave(rows[i], rows[i + apart], every);
    }
  }
  if constexpr (apart > 1) transpose<apart / 2>(rows);
}

// The 64 bytes at which each lane of a half stands, as words in memory's order.
[[gnu::always_inline]] inline BlockOf<Half> load_half(const std::uint8_t* const* at) {
  BlockOf<Half> rows;
  for (std::size_t part = 0; part < words; part += half) {
    for (std::size_t lane = 0; lane < half; ++lane) std::memcpy(&rows[part + lane], at[lane] + 4 * part, sizeof(Half));
  }
  transpose(rows);
  return rows;
}

[[gnu::always_inline]] inline BlockOf<Lanes> load(const std::uint8_t* const (&at)[lanes]) {
  const BlockOf<Half> a = load_half(at), b = load_half(at + half);
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

Word blocks_of(const Job& job) { return static_cast<Word>((job.size + 8) / block_bytes + 1); }

// One job a lane; where there are fewer, the first one is in the others, too.
void work_on(Tail (&tails)[lanes], std::span<Job* const> jobs) {
  const std::uint8_t *data[lanes], *tail[lanes], *at[lanes];
  alignas(Lanes) Word whole[lanes], blocks[lanes], bits[lanes], high_bits[lanes], keyed[lanes];
  Word shortest = UINT32_MAX, longest = 0;
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
    const Lanes last{Half(number.a == b + 1), Half(number.b == b + 1)}, live{Half(number.a > b), Half(number.b > b)};
    w[14] = select(last, as_lanes(high_bits), w[14]);
    w[15] = select(last, as_lanes(bits), w[15]);
    const StateOf<Lanes> before = inner;
    compress(inner, std::move(w));
    for (int i = 0; i < 5; ++i) inner[i] = select(live, inner[i], before[i]);
  }

  BlockOf<Lanes> w{inner[0], inner[1], inner[2], inner[3], inner[4], Lanes{} + 0x80000000};
  w[15] = w[15] + 8 * (block_bytes + digest_bytes);
  compress(outer, std::move(w));

  BlockOf<Half> digests[2] = {};
  for (int i = 0; i < 5; ++i) {
    const Lanes word = select(as_lanes(keyed), outer[i], inner[i]);
    digests[0][i] = bytes_reversed(word.a);
    digests[1][i] = bytes_reversed(word.b);
  }
  transpose(digests[0]);
  transpose(digests[1]);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    std::memcpy(jobs[lane]->digest, &digests[lane / half][lane % half], jobs[lane]->digest_size);
  }
}

// Jobs of so many blocks lie in the same bin: each number has its own, where there are many blocks each power of two.
constexpr Word fine_bins = 64, bins = fine_bins + 33;
Word bin_of(const Job& job) {
  const Word blocks = blocks_of(job);
  return blocks < fine_bins ? blocks : fine_bins + static_cast<Word>(std::bit_width(blocks));
}

// All that wait, those of similar length side by side.
void work(Manager& manager) {
  const std::span<Job*> jobs(manager.jobs, manager.count);
  std::size_t begin[bins + 1] = {};  // of each bin
  for (const Job* job : jobs) ++begin[bin_of(*job) + 1];
  for (Word bin = 0; bin < bins; ++bin) begin[bin + 1] += begin[bin];
  for (Job* job : jobs) manager.sorted[begin[bin_of(*job)]++] = job;
  for (std::size_t i = 0; i < jobs.size(); i += lanes) {
    work_on(manager.tails, {manager.sorted + i, std::min(lanes, jobs.size() - i)});
  }
  manager.next = 0;
  manager.end = std::exchange(manager.count, 0);
}

Job* hand_back(Manager& manager) {
  if (manager.next == manager.end) return nullptr;
  Job* const job = manager.jobs[manager.next++];
  job->status = Status::done;
  return job;
}

bool refused(Manager& manager, Job& job) {
  const Problem problem = problem_of(job);
  if (problem == Problem::none) return false;
  manager.problem = problem;
  job.status = Status::invalid;
  return true;
}

State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, load(block));
  return state;
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

Job* submit(Manager& manager, Job& job) {
  if (refused(manager, job)) return &job;
  manager.jobs[manager.count++] = &job;
  if (manager.count == window) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.end && manager.count != 0) work(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  while (!jobs.empty()) {
    const std::span<Job> some = jobs.first(std::min(most, jobs.size()));
    for (Job& job : some) {
      if (!refused(manager, job)) manager.jobs[manager.count++] = &job;
    }
    work(manager);
    while (hand_back(manager)) {
    }
    jobs = jobs.subspan(some.size());
  }
}

}  // namespace hmac_sha1
