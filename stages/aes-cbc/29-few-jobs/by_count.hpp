// Chooses a kernel by the number of jobs: one vector, two, or sixteen lanes.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/17-transposed-keys/group.hpp"
#include "aes-cbc/19-transposed-loads/line_blocks.hpp"
#include "aes-cbc/25-software-pipelining/pipeline.hpp"
#include "aes-cbc/28-prefetch/prefetched_lines.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// Four jobs a vector, shortest first, none of them empty. Lanes without a job repeat the first one. Lanes
// of empty jobs would all load from one address and store to it, masked out, and were slower.
template <unsigned vectors>
void encrypt_few_jobs(std::span<Job* const> jobs) {
  constexpr unsigned lanes = 4 * vectors;
  std::array<Job*, lanes> group;
  group.fill(jobs[0]);
  std::copy(jobs.begin(), jobs.end(), group.end() - jobs.size());
  FourBlocks chained[vectors];
  RoundKeys<vectors> round_keys;
  TransposedKeys::lay_out(round_keys, group.data());
  load_ivs(chained, group.data());
  const auto round_key = [&](unsigned v, unsigned round) { return own_key(round_keys, v, round); };
  for (std::size_t done = 0; done < group.back()->size; done += line_bytes) {
    encrypt<4, Ends::apart>(group.data(), done, round_key, chained);
  }
}

class ByCount {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) {
    while (!jobs.empty() && jobs[0]->size == 0) jobs = jobs.subspan(1);
    if (jobs.size() > 8) return many_(jobs, summary);
    if (jobs.size() > 4) return encrypt_few_jobs<2>(jobs);
    if (!jobs.empty()) encrypt_few_jobs<1>(jobs);
  }

 private:
  Processor<Pipeline, PrefetchedOwnKeys> many_;
};

}  // namespace aes_cbc
