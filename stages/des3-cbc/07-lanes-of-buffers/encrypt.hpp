// Encryption of many buffers in bit planes: each lane has a buffer and a key of its own.
#pragma once

#include "common/multibuffer/counting_sort.hpp"
#include "des3-cbc/04-refilled-lanes/lanes.hpp"
#include "des3-cbc/06-bit-slicing/rounds.hpp"

namespace des3_cbc {

inline std::size_t blocks_of(const Job& job) { return job.size / block_bytes; }

inline std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// The key of each lane is transposed like a block.
template <class KeyOf>
KeyPlanes transposed_keys(std::size_t count, KeyOf key_of) {
  KeyPlanes keys;
  for (unsigned des = 0; des < 3; ++des) {
    Words words{};
    for (std::size_t i = 0; i < count; ++i) words[i] = word_at(&key_of(i).bytes[des * 8]);
    keys[des] = planes_of(words);
  }
  return keys;
}

template <class Rounds>
void encrypt_by_tables(std::span<const Job> jobs) {
  Lane lanes[4] = {};
  encrypt_all<Rounds>(std::span(lanes), jobs);
}

// At most as many jobs as there are lanes, shortest first. The tables do the rest when fewer than `fewest` are left.
template <class Boxes, class Rounds, std::size_t fewest>
void encrypt_in_planes(std::span<const Job* const> jobs) {
  const KeyPlanes keys = transposed_keys(jobs.size(), [&](std::size_t i) -> const Key& { return *jobs[i]->key; });
  Words chains{};
  for (std::size_t i = 0; i < jobs.size(); ++i) chains[i] = word_at(jobs[i]->iv);
  std::size_t at = 0, first = 0;
  for (;; at += block_bytes) {
    while (first < jobs.size() && jobs[first]->size == at) ++first;
    if (jobs.size() - first < fewest) break;
    for (std::size_t i = first; i < jobs.size(); ++i) chains[i] ^= word_at(jobs[i]->in + at);
    cipher<Boxes, Direction::encrypt>(chains, keys);
    for (std::size_t i = first; i < jobs.size(); ++i) std::memcpy(jobs[i]->out + at, &chains[i], block_bytes);
  }
  std::array<Job, fewest> rest;
  std::size_t count = 0;
  for (std::size_t i = first; i < jobs.size(); ++i) {
    const Job& job = *jobs[i];
    rest[count++] = {job.in + at, job.out + at, job.size - at, job.key, reinterpret_cast<std::uint8_t*>(&chains[i])};
  }
  encrypt_by_tables<Rounds>(std::span(rest).first(count));
}

// Jobs of equal length come together, so that few lanes are idle.
template <class Boxes, class Rounds = Tables, std::size_t fewest = fewest_lanes>
void encrypt_sorted(std::span<const Job> jobs) {
  using Sort = ladder::CountingSort<const Job>;
  Sort sort;
  while (jobs.size() >= fewest) {
    const std::span<const Job> portion = jobs.first(std::min(jobs.size(), Sort::capacity));
    for (std::size_t i = 0; i < portion.size(); ++i) sort.put(i, portion[i]);
    for (std::span<const Job* const> sorted = sort.sorted(portion.size()); !sorted.empty();) {
      const std::size_t count = std::min(sorted.size(), plane_lanes);
      encrypt_in_planes<Boxes, Rounds, fewest>(sorted.last(count));
      sorted = sorted.first(sorted.size() - count);
    }
    jobs = jobs.subspan(portion.size());
  }
  encrypt_by_tables<Rounds>(jobs);
}

}  // namespace des3_cbc
