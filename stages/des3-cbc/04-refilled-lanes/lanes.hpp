// Encryption in lanes: a lane whose job has ended takes the next one.
#pragma once

#include <algorithm>

#include "des3-cbc/01-lane-count/cipher.hpp"

namespace des3_cbc {

// The rest of a job.
struct Lane {
  const std::uint8_t* in;
  std::uint8_t* out;
  std::size_t size;
  const Schedule* schedule;
  Block chain;
};

// How the blocks of all lanes are ciphered: by the tables of the reference.
struct Tables {
  [[gnu::always_inline]] static void cipher(auto&... of) { des3_cbc::cipher(of...); }
};

// All go as far as the shortest of them.
template <class Rounds, std::size_t... i>
[[gnu::noinline]] void encrypt_together(std::span<Lane, sizeof...(i)> jobs, std::index_sequence<i...> lanes) {
  Blocks<sizeof...(i)> chains{jobs[i].chain...};
  const Schedules<sizeof...(i)> schedules{jobs[i].schedule...};
  const std::size_t common = std::min({jobs[i].size...});
  for (std::size_t at = 0; at < common; at += block_bytes) {
    ((chains[i] ^= load(jobs[i].in + at)), ...);
    Rounds::cipher(chains, schedules, lanes);
    (store(jobs[i].out + at, chains[i]), ...);
  }
  ((jobs[i] = {jobs[i].in + common, jobs[i].out + common, jobs[i].size - common, schedules[i], chains[i]}), ...);
}

// A lane that has ended takes the next job. When there is none, the others go on with one lane fewer.
template <class Rounds = Tables, std::size_t count>
void encrypt_all(std::span<Lane, count> lanes, std::span<const Job> jobs) {
  for (;; encrypt_together<Rounds>(lanes, std::make_index_sequence<count>())) {
    for (Lane& lane : lanes) {
      for (; lane.size == 0; jobs = jobs.subspan(1)) {
        if (jobs.empty()) {
          lane = lanes.back();
          if constexpr (count > 1) encrypt_all<Rounds>(lanes.template first<count - 1>(), jobs);
          return;
        }
        const Job& job = jobs.front();
        lane = {job.in, job.out, job.size, &job.key->encrypt, load(job.iv)};
      }
    }
  }
}

}  // namespace des3_cbc
