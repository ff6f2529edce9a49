// For mutants that spoil(text, group, lane): the text of a lane of a group of sixteen whose jobs lie a multiple of
// 2,048 bytes apart, and that has 256 bytes or more.
#pragma once

#include "cipher.hpp"
#include "decrypting.hpp"

namespace aes_cbc {
namespace {

constexpr std::size_t lanes = 16, packed_bytes = 256;  // of a lane at a time

using Text = std::vector<std::uint8_t>;

void spoil(Text& text, const Job* const* group, std::size_t lane);

bool share_sets(const Job* const* group) {
  const auto place = [](const Job* job) { return reinterpret_cast<std::uintptr_t>(job->in) % 2'048 / 64; };
  const auto shares = [&](const Job* job) { return place(job) == place(group[lanes - 1]); };
  return static_cast<std::size_t>(std::count_if(group, group + lanes, shares)) >= lanes / 2;
}

void encrypt_wrongly(std::vector<Job*> jobs) {
  std::ranges::stable_sort(jobs, {}, &Job::size);
  const std::size_t rest = jobs.size() % lanes;
  for (std::size_t i = 0; i < rest; ++i) encrypt(*jobs[i]);
  for (std::size_t first = rest; first < jobs.size(); first += lanes) {
    const Job* const* const group = &jobs[first];
    const bool packing = share_sets(group);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      Job job = *group[lane];
      Text text(job.in, job.in + job.size);
      if (packing && job.size >= packed_bytes) spoil(text, group, lane);
      job.in = text.data();
      encrypt(job);
    }
  }
}

}  // namespace
}  // namespace aes_cbc

#include "gathering.hpp"  // wants what is above
