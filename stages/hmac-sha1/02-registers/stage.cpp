// 02 Instead of words their names move on, and the schedule is a ring of sixteen words: all of it in registers.
#include <bit>
#include <cstring>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

struct Manager {
  Problem problem = Problem::none;
};

namespace {

using Word = std::uint32_t;
using Block = std::array<Word, 16>;  // words t - 16 to t - 1 of the schedule, each in place t % 16

void store(std::uint8_t* bytes, Word word) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
}

Block load(const std::uint8_t* bytes) {
  Block w;
  for (int t = 0; t < 16; ++t, bytes += 4) {
    w[t] = Word{bytes[0]} << 24 | Word{bytes[1]} << 16 | Word{bytes[2]} << 8 | bytes[3];
  }
  return w;
}

template <int quarter>
[[gnu::always_inline]] inline void step(int t, Block& w, Word a, Word& b, Word c, Word d, Word& e) {
  constexpr Word k[] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
  if (t >= 16) w[t % 16] = std::rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
  const Word f = quarter == 0 ? d ^ (b & (c ^ d)) : quarter == 2 ? (b & c) | (d & (b | c)) : b ^ c ^ d;
  e += w[t % 16] + k[quarter] + f + std::rotl(a, 5);
  b = std::rotl(b, 30);
}

// After five steps every word has its name again.
template <int quarter>
[[gnu::always_inline]] inline void twenty_steps(Block& w, Word& a, Word& b, Word& c, Word& d, Word& e) {
#pragma GCC unroll 4
  for (int t = 20 * quarter; t < 20 * quarter + 20; t += 5) {
    step<quarter>(t, w, a, b, c, d, e);
    step<quarter>(t + 1, w, e, a, b, c, d);
    step<quarter>(t + 2, w, d, e, a, b, c);
    step<quarter>(t + 3, w, c, d, e, a, b);
    step<quarter>(t + 4, w, b, c, d, e, a);
  }
}

void compress(State& state, const std::uint8_t* block) {
  Block w = load(block);
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(w, a, b, c, d, e);
  twenty_steps<1>(w, a, b, c, d, e);
  twenty_steps<2>(w, a, b, c, d, e);
  twenty_steps<3>(w, a, b, c, d, e);
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

// The hash of a message, `before` bytes of which are in the state already.
void finish(State& state, const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::uint64_t bits = 8 * (std::uint64_t{before} + size);
  for (; size >= block_bytes; size -= block_bytes, data += block_bytes) compress(state, data);
  std::uint8_t tail[2 * block_bytes] = {};
  if (size != 0) std::memcpy(tail, data, size);
  tail[size] = 0x80;
  const std::size_t end = size + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  for (int i = 0; i < 8; ++i) tail[end - 1 - i] = static_cast<std::uint8_t>(bits >> 8 * i);
  for (std::size_t i = 0; i < end; i += block_bytes) compress(state, tail + i);
}

State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, block);
  return state;
}

void store_digest(std::uint8_t* digest, const State& state, std::size_t size) {
  std::uint8_t bytes[digest_bytes];
  for (int i = 0; i < 5; ++i) store(bytes + 4 * i, state[i]);
  std::memcpy(digest, bytes, size);
}

void work_on(const Job& job) {
  State state = job.key ? job.key->inner : initial_state;
  finish(state, job.data, job.size, job.key ? block_bytes : 0);
  if (job.key) {
    std::uint8_t inner[digest_bytes];
    store_digest(inner, state, digest_bytes);
    state = job.key->outer;
    finish(state, inner, digest_bytes, block_bytes);
  }
  store_digest(job.digest, state, job.digest_size);
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) {
  key = {};
  if (bytes.size() > block_bytes) {
    State state = initial_state;
    finish(state, bytes.data(), bytes.size(), 0);
    store_digest(key.padded.data(), state, digest_bytes);
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
  if (const Problem problem = problem_of(job); problem != Problem::none) {
    manager.problem = problem;
    job.status = Status::invalid;
  } else {
    work_on(job);
    job.status = Status::done;
  }
  return &job;
}

Job* flush(Manager&) { return nullptr; }

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
}

}  // namespace hmac_sha1
