// 04 Two messages side by side: while one waits for its last step, the processor has the other to work on.
#include <algorithm>
#include <cstring>
#include <utility>

#include "hmac-sha1/hmac_sha1.hpp"
#include "hmac-sha1/jobs.hpp"
#include "hmac-sha1/keys.hpp"
#include "hmac-sha1/words.hpp"

namespace hmac_sha1 {

constexpr std::size_t streams = 2;

struct Manager {
  Problem problem = Problem::none;
  Job* jobs[streams];
  std::size_t count = 0;          // the first so many wait for company
  std::size_t next = 0, end = 0;  // from next to end they are finished, and go back one at a time
};

namespace {

struct Words {  // the same word of each stream
  Word of[streams];
  Word& operator[](std::size_t stream) { return of[stream]; }
};
Words operator+(Words x, Words y) { return {x[0] + y[0], x[1] + y[1]}; }
Words operator+(Words x, Word y) { return {x[0] + y, x[1] + y}; }
Words operator&(Words x, Words y) { return {x[0] & y[0], x[1] & y[1]}; }
Words operator|(Words x, Words y) { return {x[0] | y[0], x[1] | y[1]}; }
Words operator^(Words x, Words y) { return {x[0] ^ y[0], x[1] ^ y[1]}; }
Words operator<<(Words x, int n) { return {x[0] << n, x[1] << n}; }
Words operator>>(Words x, int n) { return {x[0] >> n, x[1] >> n}; }

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
  auto [a, b, c, d, e] = state;
  twenty_steps<0>(w, a, b, c, d, e);
  twenty_steps<1>(w, a, b, c, d, e);
  twenty_steps<2>(w, a, b, c, d, e);
  twenty_steps<3>(w, a, b, c, d, e);
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

// A message as the blocks that are hashed: those it fills itself, then one or two with its end and the padding.
struct Message {
  const std::uint8_t* data;
  std::size_t whole, blocks;
  std::uint8_t tail[2 * block_bytes];

  const std::uint8_t* block(std::size_t i) const {
    return i < whole ? data + block_bytes * i : tail + block_bytes * (i - whole);
  }
};

// `before` bytes have been hashed already.
Message padded(const std::uint8_t* data, std::size_t size, std::size_t before) {
  const std::size_t rest = size % block_bytes;
  Message message{data, size / block_bytes, (size + 8) / block_bytes + 1, {}};
  if (rest != 0) std::memcpy(message.tail, data + size - rest, rest);
  message.tail[rest] = 0x80;
  std::uint8_t* const end = message.tail + block_bytes * (message.blocks - message.whole);
  for (int i = 0; i < 8; ++i) end[-1 - i] = static_cast<std::uint8_t>(8 * (std::uint64_t{before} + size) >> 8 * i);
  return message;
}

// Of fewer messages than there are streams each is hashed alone, and so is what one has more blocks than another.
void hash(State* states, const Message* messages, std::size_t count) {
  std::size_t common = 0;
  if (count == streams) {
    common = messages[0].blocks;
    StateOf<Words> joined;
    for (std::size_t s = 0; s < streams; ++s) {
      common = std::min(common, messages[s].blocks);
      for (int i = 0; i < 5; ++i) joined[i][s] = states[s][i];
    }
    for (std::size_t b = 0; b < common; ++b) {
      BlockOf<Words> w;
      for (std::size_t s = 0; s < streams; ++s) {
        const BlockOf<Word> block = load(messages[s].block(b));
        for (std::size_t i = 0; i < words; ++i) w[i][s] = block[i];
      }
      compress(joined, std::move(w));
    }
    for (std::size_t s = 0; s < streams; ++s) {
      for (int i = 0; i < 5; ++i) states[s][i] = joined[i][s];
    }
  }
  for (std::size_t s = 0; s < count; ++s) {
    for (std::size_t b = common; b < messages[s].blocks; ++b) compress(states[s], load(messages[s].block(b)));
  }
}

// The first `count` jobs, which are then to be handed back.
void work(Manager& manager) {
  State inner[streams], outer[streams];
  Message messages[streams];
  bool any_key = false;
  for (std::size_t s = 0; s < manager.count; ++s) {
    const Job& job = *manager.jobs[s];
    any_key |= job.key != nullptr;
    inner[s] = job.key ? job.key->inner : initial_state;
    outer[s] = job.key ? job.key->outer : initial_state;
    messages[s] = padded(job.data, job.size, job.key ? block_bytes : 0);
  }
  hash(inner, messages, manager.count);
  if (any_key) {
    std::uint8_t digests[streams][digest_bytes];
    for (std::size_t s = 0; s < manager.count; ++s) {
      store_digest(digests[s], inner[s], digest_bytes);
      messages[s] = padded(digests[s], digest_bytes, block_bytes);
    }
    hash(outer, messages, manager.count);
  }
  for (std::size_t s = 0; s < manager.count; ++s) {
    const Job& job = *manager.jobs[s];
    store_digest(job.digest, job.key ? outer[s] : inner[s], job.digest_size);
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

State after_pad(const Key& key, std::uint8_t pad) {
  std::uint8_t block[block_bytes];
  for (std::size_t i = 0; i < block_bytes; ++i) block[i] = key.padded[i] ^ pad;
  State state = initial_state;
  compress(state, load(block));
  return state;
}

}  // namespace

void prepare(Key& key, std::span<const std::uint8_t> bytes) { prepare(key, bytes, after_pad); }
Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

Job* submit(Manager& manager, Job& job) {
  if (refused(job, manager.problem)) return &job;
  manager.jobs[manager.count++] = &job;
  if (manager.count == streams) work(manager);
  return hand_back(manager);
}

Job* flush(Manager& manager) {
  if (manager.next == manager.end && manager.count != 0) work(manager);
  return hand_back(manager);
}

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

}  // namespace hmac_sha1
