// 11 Four messages side by side again, but by the processor's instructions for SHA-1, which leave time for others.
// requires: x86-64 ssse3 sse4.1 sha
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

constexpr std::size_t window = 128;  // jobs that submit gathers
constexpr std::size_t most = 1'024;  // jobs that are sorted at once

struct Manager {
  Problem problem = Problem::none;
  Job* jobs[most];
  std::size_t count = 0;          // the first so many wait for company
  std::size_t next = 0, end = 0;  // from next to end they are finished, and go back one at a time
  Job* sorted[most];
};

namespace {

constexpr std::size_t streams = 4;

using Word = std::uint32_t;
using Four = __m128i;  // words, the first of them highest
struct Hash {
  Four abcd, e;
};

Four load(const void* bytes) { return _mm_loadu_si128(static_cast<const Four*>(bytes)); }
Four bytes_reversed(Four x) { return _mm_shuffle_epi8(x, _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F)); }
Four words_reversed(Four x) { return _mm_shuffle_epi32(x, 0x1B); }

// Steps 4 * g to 4 * g + 3 of every stream; abcd from before is what the next four need for e.
template <int quarter>
[[gnu::always_inline]] inline void four_steps(int g, Four (&w)[streams][4], Hash (&hash)[streams]) {
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    auto& [abcd, e] = hash[s];
    const Four sum = g == 0 ? _mm_add_epi32(e, w[s][0]) : _mm_sha1nexte_epu32(e, w[s][g % 4]);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, sum, quarter);
    const Four partial = _mm_xor_si128(_mm_sha1msg1_epu32(w[s][g % 4], w[s][(g + 1) % 4]), w[s][(g + 2) % 4]);
    w[s][g % 4] = _mm_sha1msg2_epu32(partial, w[s][(g + 3) % 4]);  // the schedule's next four words
  }
}

template <int quarter>
[[gnu::always_inline]] inline void twenty_steps(Four (&w)[streams][4], Hash (&hash)[streams]) {
#pragma GCC unroll 5
  for (int g = 5 * quarter; g < 5 * quarter + 5; ++g) four_steps<quarter>(g, w, hash);
}

// The block at which each stream stands; one that is not live keeps its state. (A branch would set the streams apart
// again.)
void compress(Hash (&state)[streams], const std::uint8_t* const (&at)[streams], const Four (&live)[streams]) {
  Four w[streams][4];
  Hash hash[streams];
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    for (int i = 0; i < 4; ++i) w[s][i] = bytes_reversed(load(at[s] + 16 * i));
    hash[s] = state[s];
  }
  twenty_steps<0>(w, hash);
  twenty_steps<1>(w, hash);
  twenty_steps<2>(w, hash);
  twenty_steps<3>(w, hash);
#pragma GCC unroll 4
  for (std::size_t s = 0; s < streams; ++s) {
    const Hash after{_mm_add_epi32(hash[s].abcd, state[s].abcd), _mm_sha1nexte_epu32(hash[s].e, state[s].e)};
    state[s] = {_mm_blendv_epi8(state[s].abcd, after.abcd, live[s]), _mm_blendv_epi8(state[s].e, after.e, live[s])};
  }
}

Hash hash_from(const State& state) {
  return {words_reversed(load(state.data())), _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0)};
}

State state_of(const Hash& hash) {
  State state;
  const Four abcd = words_reversed(hash.abcd);
  std::memcpy(state.data(), &abcd, sizeof abcd);
  state[4] = static_cast<Word>(_mm_extract_epi32(hash.e, 3));
  return state;
}

// A message as the blocks that are hashed: those it fills itself, then one or two with its end and the padding.
struct Message {
  const std::uint8_t* data;
  Word whole, blocks;
  std::uint8_t tail[2 * block_bytes];

  const std::uint8_t* block(Word i) const {
    return i < whole ? data + block_bytes * i : tail + block_bytes * (std::min(i, blocks - 1) - whole);
  }
};

Word blocks_of(const Job& job) { return static_cast<Word>((job.size + 8) / block_bytes + 1); }

// `before` bytes have been hashed already.
Message padded(const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::size_t rest = size % block_bytes;
  Message message{data, static_cast<Word>(size / block_bytes), static_cast<Word>((size + 8) / block_bytes + 1), {}};
  if (rest != 0) std::memcpy(message.tail, data + size - rest, rest);
  message.tail[rest] = 0x80;
  std::uint8_t* const end = message.tail + block_bytes * (message.blocks - message.whole);
  for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
  return message;
}

// A stream whose message has ended goes on with its last block.
void hash(Hash (&states)[streams], const Message (&messages)[streams]) {
  Word longest = 0;
  for (const Message& message : messages) longest = std::max(longest, message.blocks);
  for (Word b = 0; b < longest; ++b) {
    const std::uint8_t* at[streams];
    Four live[streams];
    for (std::size_t s = 0; s < streams; ++s) {
      at[s] = messages[s].block(b);
      live[s] = _mm_set1_epi32(b < messages[s].blocks ? -1 : 0);
    }
    compress(states, at, live);
  }
}

void store_digest(std::uint8_t* digest, const Hash& hash, std::size_t size) {
  State state = state_of(hash);
  for (Word& word : state) word = __builtin_bswap32(word);
  std::memcpy(digest, state.data(), size);
}

// One job a stream; where there are fewer, the first one is in the others, too.
void work_on(std::span<Job* const> jobs) {
  Hash inner[streams], outer[streams];
  Message messages[streams];
  for (std::size_t s = 0; s < streams; ++s) {
    const Job& job = *jobs[s < jobs.size() ? s : 0];
    inner[s] = hash_from(job.key ? job.key->inner : initial_state);
    outer[s] = hash_from(job.key ? job.key->outer : initial_state);
    messages[s] = padded(job.data, job.size, job.key ? block_bytes : 0);
  }
  hash(inner, messages);
  std::uint8_t digests[streams][digest_bytes];
  for (std::size_t s = 0; s < streams; ++s) {
    store_digest(digests[s], inner[s], digest_bytes);
    messages[s] = padded(digests[s], digest_bytes, block_bytes);
  }
  hash(outer, messages);
  for (std::size_t s = 0; s < jobs.size(); ++s) {
    store_digest(jobs[s]->digest, jobs[s]->key ? outer[s] : inner[s], jobs[s]->digest_size);
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
  for (std::size_t i = 0; i < jobs.size(); i += streams) {
    work_on({manager.sorted + i, std::min(streams, jobs.size() - i)});
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
  Hash states[streams] = {hash_from(initial_state)};
  compress(states, {block, block, block, block}, {_mm_set1_epi32(-1)});
  return state_of(states[0]);
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
