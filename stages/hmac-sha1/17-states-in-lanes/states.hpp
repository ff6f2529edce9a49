// The states of a group of messages, one in each lane: loaded from keys, chosen by masks, and stored as digests.
#pragma once

#include <cstring>
#include <span>

#include "hmac-sha1/13-transpose/load.hpp"
#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

template <class Vector>
static Vector select(auto mask, Vector x, Vector y) {
  return mask ? x : y;
}

// Of as many jobs as there are lanes, or fewer.
template <class Vector>
[[gnu::always_inline]] static inline void store_digests(std::span<Job* const> jobs, const StateOf<Vector>& states) {
  constexpr std::size_t lanes = lanes_of<Vector>;
  BlockOf<Vector> digests{};
  for (int i = 0; i < 5; ++i) digests[i] = bytes_reversed(states[i]);
  transpose(digests);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    Word digest[words];
    for (std::size_t part = 0; part < 5; part += lanes)
      std::memcpy(digest + part, &digests[part + lane], sizeof(Vector));
    std::memcpy(jobs[lane]->digest, digest, jobs[lane]->digest_size);
  }
}

template <class Lanes>
static Lanes as_lanes(const Word (&of_each)[lanes_of<Lanes>]) {
  Lanes x;
  std::memcpy(&x, of_each, sizeof x);
  return x;
}

// A key that changes nothing, for a message without a key.
constexpr Key no_key{initial_state, initial_state, {}};

}  // namespace hmac_sha1
