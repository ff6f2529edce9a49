// A manager that validates the jobs of a batch all at once.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

// Minimum and maximum of each word of the jobs, and the bits that are set in any.
class BatchSummary {
 public:
  void add(const Job& job) {
    const __m512i x = _mm512_maskz_loadu_epi64(words, &job);
    min_ = _mm512_min_epu64(min_, x), max_ = _mm512_max_epu64(max_, x), any_ |= x;
  }

  // Nothing if a job is invalid.
  std::optional<Summary> of_valid_jobs() const {
    if (_mm512_mask_testn_epi64_mask(addresses, min_, min_) != 0) return std::nullopt;
    if (any_[size] % block_bytes != 0 || static_cast<std::size_t>(max_[size]) > most_bytes) return std::nullopt;
    Summary summary;
    summary.same_length = min_[size] == max_[size], summary.same_key = min_[key] == max_[key];
    return summary;
  }

 private:
  // Words of a job, and which of them must not be null.
  enum Word : unsigned { in, out, size, key, iv };
  static constexpr __mmask8 words = 1 << in | 1 << out | 1 << size | 1 << key | 1 << iv;
  static constexpr __mmask8 addresses = words & ~(1 << size);
  static_assert(offsetof(Job, in) == 8 * in && offsetof(Job, out) == 8 * out && offsetof(Job, size) == 8 * size &&
                offsetof(Job, key) == 8 * key && offsetof(Job, iv) == 8 * iv);

  __m512i min_ = _mm512_set1_epi64(-1), max_{}, any_{};
};

template <class Processor>
struct ValidatedAtOnce : ladder::Gathering<Job, Processor, Summary> {
  void batch(std::span<Job> jobs) {
    this->finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), this->portion))) {
      validate_and_process(jobs.first(std::min(jobs.size(), this->portion)));
    }
  }

 private:
  // If a job is invalid, all are gathered again, one by one.
  void validate_and_process(std::span<Job> jobs) {
    BatchSummary batch;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      batch.add(jobs[i]);
      this->sorter().jobs().put_without_bin(i, jobs[i]);
      jobs[i].status = Status::done;
    }
    const std::optional<Summary> summary = batch.of_valid_jobs();
    if (!summary) return this->process_portion(jobs);
    for (std::size_t i = 0; !summary->same_length && i < jobs.size(); ++i) this->sorter().jobs().note_bin(i, jobs[i]);
    this->sorter().process(jobs.size(), *summary);
  }
};

}  // namespace aes_cbc
