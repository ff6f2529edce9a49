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
template <class Plane, class KeyOf>
KeyPlanes<Plane> transposed_keys(std::size_t count, KeyOf key_of) {
  KeyPlanes<Plane> keys;
  for (unsigned des = 0; des < 3; ++des) {
    Words<Plane> words{};
    for (std::size_t i = 0; i < count; ++i) words[i] = word_at(&key_of(i).bytes[des * 8]);
    keys[des] = planes_of<Plane>(words);
  }
  return keys;
}

using Kernel = void (*)(std::span<const Job>);

template <class Rounds>
void encrypt_by_tables(std::span<const Job> jobs) {
  Lane lanes[4] = {};
  encrypt_all<Rounds>(std::span(lanes), jobs);
}

// At most as many jobs as there are lanes, shortest first. When fewer than `fewest` are left, `few` does the rest.
template <class Plane, class Boxes, std::size_t fewest, Kernel few>
void encrypt_in_planes(std::span<const Job> jobs) {
  if (jobs.size() < fewest) return few(jobs);
  const auto keys = transposed_keys<Plane>(jobs.size(), [&](std::size_t i) -> const Key& { return *jobs[i].key; });
  Words<Plane> chains{};
  for (std::size_t i = 0; i < jobs.size(); ++i) chains[i] = word_at(jobs[i].iv);
  std::size_t at = 0, first = 0;
  for (;; at += block_bytes) {
    while (first < jobs.size() && jobs[first].size == at) ++first;
    if (jobs.size() - first < fewest) break;
    for (std::size_t i = first; i < jobs.size(); ++i) chains[i] ^= word_at(jobs[i].in + at);
    cipher<Boxes, Direction::encrypt>(chains, keys);
    for (std::size_t i = first; i < jobs.size(); ++i) std::memcpy(jobs[i].out + at, &chains[i], block_bytes);
  }
  std::array<Job, fewest> rest;
  std::size_t count = 0;
  for (std::size_t i = first; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    rest[count++] = {job.in + at, job.out + at, job.size - at, job.key, reinterpret_cast<std::uint8_t*>(&chains[i])};
  }
  few(std::span(rest).first(count));
}

// Jobs of equal length come together, so that few lanes are idle. Fewer than `fewest` are taken as they come.
template <std::size_t fewest, Kernel many, Kernel few>
void encrypt_sorted(std::span<const Job> jobs) {
  using Sort = ladder::CountingSort<const Job>;
  Sort sort;
  std::array<Job, lanes_of<WidestPlane>> together;
  while (jobs.size() >= fewest) {
    const std::span<const Job> portion = jobs.first(std::min(jobs.size(), Sort::capacity));
    for (std::size_t i = 0; i < portion.size(); ++i) sort.put(i, portion[i]);
    for (std::span<const Job* const> sorted = sort.sorted(portion.size()); !sorted.empty();) {
      const std::size_t count = std::min(sorted.size(), together.size());
      std::ranges::transform(sorted.last(count), together.begin(), [](const Job* job) { return *job; });
      many(std::span(together).first(count));
      sorted = sorted.first(sorted.size() - count);
    }
    jobs = jobs.subspan(portion.size());
  }
  few(jobs);
}

// In planes as wide as the vectors of the level. The tables take fewer than `fewest` jobs.
template <class Boxes, class Rounds = Tables, std::size_t fewest = fewest_lanes>
void encrypt_sorted(std::span<const Job> jobs) {
  constexpr Kernel few = encrypt_by_tables<Rounds>;
  encrypt_sorted<fewest, encrypt_in_planes<WidestPlane, Boxes, fewest, few>, few>(jobs);
}

}  // namespace des3_cbc
