// 03 The processor's own instructions for SHA-1: four steps in one.
// requires: x86-64 ssse3 sse4.1 sha
// variants: no-steps
#include <immintrin.h>

#include <cstring>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/words.hpp"

namespace hmac_sha1 {

struct Manager {
  Problem problem = Problem::none;
};

namespace {

using Four = __m128i;  // words, the first of them highest

// Steps 4 * g to 4 * g + 3; abcd from before is what the next four need for e.
template <int quarter>
[[gnu::always_inline]] inline void four_steps(int g, Four (&w)[4], Four& abcd, Four& e) {
  const Four sum = g == 0 ? _mm_add_epi32(e, w[0]) : _mm_sha1nexte_epu32(e, w[g % 4]);
  e = abcd;
  abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
  const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[g % 4], w[(g + 1) % 4]), w[(g + 2) % 4]);
  w[g % 4] = _mm_sha1msg2_epu32(partial, w[(g + 3) % 4]);  // the schedule's next four words
}

template <int quarter>
[[gnu::always_inline]] inline void twenty_steps(Four (&w)[4], Four& abcd, Four& e) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, abcd, e);
}

void compress(State& state, const std::uint8_t* block) {
  const Four reversed = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
  Four w[4];
  for (int i = 0; i < 4; ++i) {
    w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const Four*>(block + 16 * i)), reversed);
  }
  const Four abcd_before = _mm_set_epi32(state[0], state[1], state[2], state[3]),
             e_before = _mm_set_epi32(state[4], 0, 0, 0);
  Four abcd = abcd_before, e = e_before;
  if constexpr (steps == 0) {
    for (const Four four : w) abcd = _mm_add_epi32(abcd, four);
  } else {
    twenty_steps<0>(w, abcd, e);
    twenty_steps<1>(w, abcd, e);
    twenty_steps<2>(w, abcd, e);
    twenty_steps<3>(w, abcd, e);
    abcd = _mm_add_epi32(abcd, abcd_before);
    e = _mm_sha1nexte_epu32(e, e_before);
  }
  abcd = _mm_shuffle_epi32(abcd, 0x1B);
  std::memcpy(state.data(), &abcd, sizeof abcd);
  state[4] = _mm_extract_epi32(e, 3);
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
  Four block[4];  // in wider vectors upper halves would be in use, and the SHA instructions slow for it on some cores
  for (int i = 0; i < 4; ++i) {
    const Four padded = _mm_loadu_si128(reinterpret_cast<const Four*>(key.padded.data() + 16 * i));
    block[i] = padded ^ _mm_set1_epi8(static_cast<char>(pad));
  }
  State state = initial_state;
  compress(state, reinterpret_cast<const std::uint8_t*>(block));
  return state;
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
