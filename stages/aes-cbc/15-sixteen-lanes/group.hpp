// Encrypts a group of sixteen jobs, a block of each at a time.
#pragma once

#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/15-sixteen-lanes/lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

struct BlockByBlock {
  static void lay_out(RoundKeys<vectors>& round_keys, Job* const* jobs) {
    for (unsigned round = 0; round <= rounds; ++round) {
      const auto key = [&](unsigned lane) { return &jobs[lane]->key->encrypting[round]; };
      for (unsigned v = 0; v < vectors; ++v) {
        round_keys[round][v] = join(key(4 * v), key(4 * v + 1), key(4 * v + 2), key(4 * v + 3));
      }
    }
  }

  // As many jobs as there are lanes, shortest first. `round_key` is passed by value: a reference would be read again
  // after every store.
  static void encrypt_group(Job* const* jobs, auto round_key) {
    FourBlocks chained[vectors];
    load_ivs(chained, jobs);
    encrypt_from(jobs, 0, round_key, chained);
  }

 protected:
  // Every lane from `offset` to its end.
  [[gnu::always_inline]] static void encrypt_from(Job* const* jobs, std::size_t offset, auto&& round_key,
                                                  FourBlocks (&chained)[vectors]) {
    const std::size_t shortest = jobs[0]->size, longest = jobs[width - 1]->size;
    for (; offset < shortest; offset += block_bytes) encrypt_blocks<false>(jobs, offset, round_key, chained);
    for (; offset < longest; offset += block_bytes) encrypt_blocks<true>(jobs, offset, round_key, chained);
  }

 private:
  static inline std::uint8_t nothing[block_bytes];

  // A block of every lane. Lanes that have ended read from one block of zeros and store nothing.
  template <bool some_ended>
  [[gnu::always_inline]] static void encrypt_blocks(Job* const* jobs, std::size_t offset, auto&& round_key,
                                                    FourBlocks (&chained)[vectors]) {
    const auto ended = [&](unsigned lane) { return some_ended && offset >= jobs[lane]->size; };
    const auto in = [&](unsigned lane) { return ended(lane) ? nothing : jobs[lane]->in + offset; };
    const auto store = [&](unsigned lane, __m128i block) {
      if (!ended(lane)) _mm_storeu_si128(reinterpret_cast<__m128i*>(jobs[lane]->out + offset), block);
    };
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) chained[v] ^= join(in(4 * v), in(4 * v + 1), in(4 * v + 2), in(4 * v + 3));
    encrypt(chained, round_key);
#pragma GCC unroll 4
    for (unsigned v = 0; v < vectors; ++v) {
      store(4 * v, _mm512_castsi512_si128(chained[v]));
      store(4 * v + 1, _mm512_extracti32x4_epi32(chained[v], 1));
      store(4 * v + 2, _mm512_extracti32x4_epi32(chained[v], 2));
      store(4 * v + 3, _mm512_extracti32x4_epi32(chained[v], 3));
    }
  }
};

// For jobs with a key each: lays out the round keys of a group, then encrypts it.
template <class Group>
struct OwnKeys {
  static void encrypt(RoundKeys<vectors>& round_keys, const Groups<width>& groups) {
    const auto round_key = [&](unsigned v, unsigned round) { return own_key(round_keys, v, round); };
    groups.for_each([&](Job* const* group) {
      Group::lay_out(round_keys, group);
      Group::encrypt_group(group, round_key);
    });
  }
};

}  // namespace aes_cbc
