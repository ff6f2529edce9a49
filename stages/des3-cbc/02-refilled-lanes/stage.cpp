// 02 A lane that has ended takes the next buffer: lengths no longer matter.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "des3-cbc/boxes.hpp"
#include "des3-cbc/des3_cbc.hpp"

namespace des3_cbc {
namespace {

using Block = std::uint64_t;  // its first byte is the highest

Block big_endian(Block block) { return std::endian::native == std::endian::little ? __builtin_bswap64(block) : block; }

Block load(const std::uint8_t* bytes) {
  Block block;
  std::memcpy(&block, bytes, block_bytes);
  return big_endian(block);
}

void store(std::uint8_t* bytes, Block block) {
  block = big_endian(block);
  std::memcpy(bytes, &block, block_bytes);
}

struct Halves {
  std::uint32_t left, right;
};

// Exchanges the bits of `b` under `mask` with those that stand `places` higher in `a`.
[[gnu::always_inline]] inline void exchange(std::uint32_t& a, std::uint32_t& b, unsigned places, std::uint32_t mask) {
  const std::uint32_t different = (a >> places ^ b) & mask;
  a ^= different << places;
  b ^= different;
}

// IP turns a matrix of bits on its side, in five exchanges. Then both halves turn one place to the left (boxes.hpp).
[[gnu::always_inline]] inline Halves permuted(Block block) {
  auto left = static_cast<std::uint32_t>(block >> 32), right = static_cast<std::uint32_t>(block);
  exchange(left, right, 4, 0x0F0F0F0F);
  exchange(left, right, 16, 0x0000FFFF);
  exchange(right, left, 2, 0x33333333);
  exchange(right, left, 8, 0x00FF00FF);
  exchange(left, right, 1, 0x55555555);
  return {std::rotl(left, 1), std::rotl(right, 1)};
}

[[gnu::always_inline]] inline Block unpermuted(Halves halves) {
  std::uint32_t left = std::rotr(halves.left, 1), right = std::rotr(halves.right, 1);
  exchange(left, right, 1, 0x55555555);
  exchange(right, left, 8, 0x00FF00FF);
  exchange(right, left, 2, 0x33333333);
  exchange(left, right, 16, 0x0000FFFF);
  exchange(left, right, 4, 0x0F0F0F0F);
  return Block{left} << 32 | right;
}

[[gnu::always_inline]] inline std::uint32_t f(std::uint32_t half, RoundKey key) {
  const std::uint32_t odd = std::rotr(half, 4) ^ key.odd, even = half ^ key.even;
  return boxes[0][odd >> 24 & 63] ^ boxes[2][odd >> 16 & 63] ^ boxes[4][odd >> 8 & 63] ^ boxes[6][odd & 63] ^
         boxes[1][even >> 24 & 63] ^ boxes[3][even >> 16 & 63] ^ boxes[5][even >> 8 & 63] ^ boxes[7][even & 63];
}

constexpr std::size_t lanes_at_once = 2;

template <std::size_t count>
using Blocks = std::array<Block, count>;  // one of each lane
template <std::size_t count>
using Schedules = std::array<const Schedule*, count>;

// Between one DES and the next, FP and IP undo each other: what is left is that the halves change places.
// The lanes `i` are a list that the compiler expands, for GCC unrolls loops too late to have them in registers.
template <std::size_t... i>
[[gnu::always_inline]] inline void cipher(Blocks<sizeof...(i)>& blocks, const Schedules<sizeof...(i)>& schedules,
                                          std::index_sequence<i...>) {
  Halves lanes[] = {permuted(blocks[i])...};
  for (unsigned des = 0; des < rounds; des += 16) {
    for (unsigned round = des; round < des + 16; round += 2) {
      ((lanes[i].left ^= f(lanes[i].right, (*schedules[i])[round])), ...);
      ((lanes[i].right ^= f(lanes[i].left, (*schedules[i])[round + 1])), ...);
    }
    (std::swap(lanes[i].left, lanes[i].right), ...);
  }
  ((blocks[i] = unpermuted(lanes[i])), ...);
}

// What is left of a job.
struct Lane {
  const std::uint8_t* in;
  std::uint8_t* out;
  std::size_t size;
  const Schedule* schedule;
  Block chain;
};

// As far as the shortest of them goes.
template <std::size_t... i>
[[gnu::noinline]] void encrypt_together(std::span<Lane, sizeof...(i)> jobs, std::index_sequence<i...> lanes) {
  Blocks<sizeof...(i)> chains{jobs[i].chain...};
  const Schedules<sizeof...(i)> schedules{jobs[i].schedule...};
  const std::size_t common = std::min({jobs[i].size...});
  for (std::size_t at = 0; at < common; at += block_bytes) {
    ((chains[i] ^= load(jobs[i].in + at)), ...);
    cipher(chains, schedules, lanes);
    (store(jobs[i].out + at, chains[i]), ...);
  }
  ((jobs[i] = {jobs[i].in + common, jobs[i].out + common, jobs[i].size - common, schedules[i], chains[i]}), ...);
}

// A lane that has ended takes the next job. When there is none, the others go on with one lane fewer.
template <std::size_t count>
void encrypt_all(std::span<Lane, count> lanes, std::span<const Job> jobs) {
  for (;; encrypt_together(lanes, std::make_index_sequence<count>())) {
    for (Lane& lane : lanes) {
      for (; lane.size == 0; jobs = jobs.subspan(1)) {
        if (jobs.empty()) {
          lane = lanes.back();
          if constexpr (count > 1) encrypt_all(lanes.template first<count - 1>(), jobs);
          return;
        }
        const Job& job = jobs.front();
        lane = {job.in, job.out, job.size, &job.key->encrypt, load(job.iv)};
      }
    }
  }
}

// Here the blocks of one buffer do not wait for each other: as many at a time as there are lanes.
template <std::size_t... i>
[[gnu::noinline]] std::size_t decrypt_blocks(const Job& job, std::size_t from, Block& chain,
                                             std::index_sequence<i...> lanes) {
  constexpr std::size_t bytes = sizeof...(i) * block_bytes;
  const Schedules<sizeof...(i)> schedules{(void(i), &job.key->decrypt)...};
  for (; job.size - from >= bytes; from += bytes) {
    const Blocks<sizeof...(i)> read{load(job.in + from + i * block_bytes)...};
    Blocks<sizeof...(i)> blocks = read;
    cipher(blocks, schedules, lanes);
    ((store(job.out + from + i * block_bytes, blocks[i] ^ std::exchange(chain, read[i]))), ...);
  }
  return from;
}

}  // namespace

void encrypt(std::span<const Job> jobs) {
  Lane lanes[lanes_at_once] = {};
  encrypt_all(std::span(lanes), jobs);
}

void decrypt(std::span<const Job> jobs) {
  for (const Job& job : jobs) {
    Block chain = load(job.iv);
    const std::size_t done = decrypt_blocks(job, 0, chain, std::make_index_sequence<lanes_at_once>());
    decrypt_blocks(job, done, chain, std::make_index_sequence<1>());
  }
}

}  // namespace des3_cbc
