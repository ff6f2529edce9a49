// 10 VAES: a vector holds a block of each of four lanes, and sixteen lanes take as long as four did.
// requires: x86-64-v4 vaes
#include <immintrin.h>

#include <algorithm>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/gathering.hpp"
#include "aes-cbc/jobs.hpp"

namespace aes_cbc {
namespace {

using Vector = __m512i;  // a block of each of four lanes, or four blocks of one

constexpr unsigned vectors = 4, width = 4 * vectors;  // lanes: buffers that are worked on side by side

std::uint8_t nothing[64];  // a buffer for empty jobs

enum class Keys { one_each, one_for_all };
using RoundKeys = Vector[rounds + 1][vectors];  // of one key for all in the first column alone

}  // namespace

struct Manager {
  RoundKeys round_keys;
  Gathering gathering;
};

namespace {

Vector repeat(const void* block) {
  return _mm512_maskz_broadcast_i32x4(0xFFFF, _mm_loadu_si128(static_cast<const __m128i*>(block)));
}

Vector join(const void* a, const void* b, const void* c, const void* d) {
  const auto load = [](const void* block) { return _mm_loadu_si128(static_cast<const __m128i*>(block)); };
  const __m256i ab = _mm256_inserti128_si256(_mm256_castsi128_si256(load(a)), load(b), 1);
  const __m256i cd = _mm256_inserti128_si256(_mm256_castsi128_si256(load(c)), load(d), 1);
  return _mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(ab), cd, 1);
}

template <Keys keys>
void lay_out(RoundKeys& round_keys, Job* const* jobs) {
  for (unsigned round = 0; round <= rounds; ++round) {
    const auto key = [&](unsigned lane) { return &jobs[lane]->key->encrypting[round]; };
    if (keys == Keys::one_for_all) {
      round_keys[round][0] = repeat(key(0));
      continue;
    }
    for (unsigned v = 0; v < vectors; ++v) {
      round_keys[round][v] = join(key(4 * v), key(4 * v + 1), key(4 * v + 2), key(4 * v + 3));
    }
  }
}

template <Keys keys>
[[gnu::always_inline]] inline void encrypt(Vector (&blocks)[vectors], const RoundKeys& round_keys) {
  const auto round_key = [&](unsigned v, unsigned round) {
    return round_keys[round][keys == Keys::one_for_all ? 0 : v];
  };
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] ^= round_key(v, 0);
#pragma GCC unroll 9
  for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) blocks[v] = _mm512_aesenc_epi128(blocks[v], round_key(v, round));
  }
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) blocks[v] = _mm512_aesenclast_epi128(blocks[v], round_key(v, rounds));
}

// A block of every lane; `some` have ended before.
template <Keys keys, bool some>
[[gnu::always_inline]] inline void encrypt(Job* const* jobs, std::size_t offset, const RoundKeys& round_keys,
                                           Vector (&chained)[vectors]) {
  const auto ended = [&](unsigned lane) { return some && offset >= jobs[lane]->size; };
  const auto in = [&](unsigned lane) { return ended(lane) ? nothing : jobs[lane]->in + offset; };
  const auto store = [&](unsigned lane, __m128i block) {
    if (!ended(lane)) _mm_storeu_si128(reinterpret_cast<__m128i*>(jobs[lane]->out + offset), block);
  };
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] ^= join(in(4 * v), in(4 * v + 1), in(4 * v + 2), in(4 * v + 3));
  encrypt<keys>(chained, round_keys);
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) {
    store(4 * v, _mm512_castsi512_si128(chained[v]));
    store(4 * v + 1, _mm512_extracti32x4_epi32(chained[v], 1));
    store(4 * v + 2, _mm512_extracti32x4_epi32(chained[v], 2));
    store(4 * v + 3, _mm512_extracti32x4_epi32(chained[v], 3));
  }
}

// As many jobs as there are lanes, least first.
template <Keys keys>
void encrypt_group(const RoundKeys& round_keys, Job* const* jobs) {
  const auto iv = [&](unsigned lane) { return jobs[lane]->iv; };
  Vector chained[vectors];
#pragma GCC unroll 4
  for (unsigned v = 0; v < vectors; ++v) chained[v] = join(iv(4 * v), iv(4 * v + 1), iv(4 * v + 2), iv(4 * v + 3));
  const std::size_t least = jobs[0]->size, most = jobs[width - 1]->size;
  std::size_t offset = 0;
  for (; offset < least; offset += block_bytes) encrypt<keys, false>(jobs, offset, round_keys, chained);
  for (; offset < most; offset += block_bytes) encrypt<keys, true>(jobs, offset, round_keys, chained);
}

// Where the lanes cannot all be filled, in the first group, empty jobs are in the others.
template <Keys keys>
void encrypt_sorted(RoundKeys& round_keys, Job* const* jobs, std::size_t count) {
  if (keys == Keys::one_for_all) lay_out<keys>(round_keys, jobs);
  const auto encrypt = [&](Job* const* group) {
    if (keys == Keys::one_each) lay_out<keys>(round_keys, group);
    encrypt_group<keys>(round_keys, group);
  };
  if (const std::size_t few = count % width; few != 0) {
    Job empty{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting};
    std::array<Job*, width> group;
    group.fill(&empty);
    std::copy_n(jobs, few, group.end() - few);
    encrypt(group.data());
    jobs += few, count -= few;
  }
  for (std::size_t i = 0; i < count; i += width) encrypt(jobs + i);
}

auto encrypt_with(Manager& manager) {
  return [&](Job* const* jobs, std::size_t count, bool shared) {
    (shared ? encrypt_sorted<Keys::one_for_all> : encrypt_sorted<Keys::one_each>)(manager.round_keys, jobs, count);
  };
}

// The first blocks that are left, up to a vector of them.
__mmask8 mask(std::size_t bytes) { return static_cast<__mmask8>(_bzhi_u32(0xFF, std::min<std::size_t>(bytes / 8, 8))); }

void decrypt(const Job& job) {
  Vector before = repeat(job.iv);
  Vector keys[rounds + 1];
  for (unsigned round = 0; round <= rounds; ++round) keys[round] = repeat(&job.key->decrypting[round]);
  for (std::size_t i = 0; i < job.size; i += sizeof(Vector)) {
    const Vector ciphered = _mm512_maskz_loadu_epi64(mask(job.size - i), job.in + i);
    Vector blocks = ciphered ^ keys[0];
    for (unsigned round = 1; round < rounds; ++round) blocks = _mm512_aesdec_epi128(blocks, keys[round]);
    blocks = _mm512_aesdeclast_epi128(blocks, keys[rounds]) ^ _mm512_alignr_epi64(ciphered, before, 6);
    _mm512_mask_storeu_epi64(job.out + i, mask(job.size - i), blocks);
    before = ciphered;
  }
}

}  // namespace

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.gathering.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.gathering.submit(job, encrypt_with(manager)); }
Job* flush(Manager& manager) { return manager.gathering.flush(encrypt_with(manager)); }
void batch(Manager& manager, std::span<Job> jobs) { manager.gathering.batch(jobs, encrypt_with(manager)); }

void decrypt(std::span<Job> jobs) { decrypt_each(jobs, decrypt); }

}  // namespace aes_cbc
