// Encrypts up to four jobs. The next block is xored with the last round key, so no xor of its own is in the chain.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "aes-cbc/02-aes-instructions/one_block.hpp"
#include "aes-cbc/04-four-buffers/lanes.hpp"
#include "aes-cbc/06-out-of-order/copy_lane.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/39-reassociation/last_round.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// The next `size` bytes of every lane, at least a block. A state is the input of the first round: the encrypted block
// before, the block and the first round key, xored. The last round gives the next state, because its key contains the
// next block and the first round key.
template <unsigned width>
static void encrypt_reassociated(Lanes<width>& lanes, std::size_t size) {
  Vector first[width], last[width], states[width], blocks[width];
#pragma GCC unroll 4
  for (unsigned lane = 0; lane < width; ++lane) {
    first[lane] = load(&lanes.key[lane]->encrypting[0]), last[lane] = load(&lanes.key[lane]->encrypting[rounds]);
    states[lane] = lanes.chained[lane] ^ add_key(load(lanes.in[lane]), first[lane]);
  }
  for (std::size_t i = 0; i < size; i += block_bytes) {
    const std::size_t next = std::min(i + block_bytes, size - block_bytes);  // nothing follows the last block
    for (unsigned round = 1; round < rounds; ++round) {
#pragma GCC unroll 4
      for (unsigned lane = 0; lane < width; ++lane) {
        states[lane] = encrypt_round(states[lane], load(&lanes.key[lane]->encrypting[round]));
      }
    }
#pragma GCC unroll 4
    for (unsigned lane = 0; lane < width; ++lane) {
      const Vector ahead = add_key(load(lanes.in[lane] + next), first[lane]);
      states[lane] = encrypt_last_round(states[lane], last[lane], ahead);
      blocks[lane] = states[lane] ^ ahead;
    }
#pragma GCC unroll 4
    for (unsigned lane = 0; lane < width; ++lane) store(lanes.out[lane] + i, blocks[lane]);
  }
  for (unsigned lane = 0; lane < width; ++lane) {
    lanes.in[lane] += size, lanes.out[lane] += size, lanes.chained[lane] = blocks[lane];
  }
}

// As many jobs as there are lanes or fewer, shortest first. Lanes without a job repeat the first one: all lanes are
// loaded before one is stored, so a job in place is encrypted once.
template <unsigned width>
static void encrypt_few(std::span<Job* const> jobs) {
  std::array<const Job*, width> group;
  group.fill(jobs[0]);
  std::copy(jobs.begin(), jobs.end(), group.end() - jobs.size());
  Lanes<width> lanes;
  for (unsigned lane = 0; lane < width; ++lane) lanes.put(lane, *group[lane]);
  std::size_t done = 0;
  for (unsigned lane = 0; lane < width; ++lane) {
    if (group[lane]->size == done) continue;
    for (unsigned ended = 0; ended < lane; ++ended) copy_lane(lanes, ended, lane);
    encrypt_reassociated(lanes, group[lane]->size - done);
    done = group[lane]->size;
  }
}

// Five jobs or more take `Many`. Its lanes keep the AES units busy; a rest of one to four is encrypted as before.
template <class Many>
class FewReassociated {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) const {
    if (jobs.size() == 1) return encrypt_few<1>(jobs);
    if (jobs.size() <= 4) return encrypt_few<4>(jobs);
    many_(jobs, summary);
  }

 private:
  Many many_;
};

}  // namespace aes_cbc
