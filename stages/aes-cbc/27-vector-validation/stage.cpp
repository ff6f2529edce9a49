// Vectorised validation: a job descriptor is loaded as a vector. Min, max and or over a batch tell if all are valid.
// requires: x86-64-v4 vaes
// variants: no-kernel
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "aes-cbc/14-vaes-decryption/decrypt.hpp"
#include "aes-cbc/16-shared-key-vaes/processor.hpp"
#include "aes-cbc/21-short-buffers/own_keys_by_size.hpp"
#include "aes-cbc/25-software-pipelining/pipeline.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {
namespace {

// Words of a job, and which of them must not be null.
enum Word : unsigned { in, out, size, key, iv };
constexpr __mmask8 words = 1 << in | 1 << out | 1 << size | 1 << key | 1 << iv;
constexpr __mmask8 addresses = words & ~(1 << size);
static_assert(offsetof(Job, in) == 8 * in && offsetof(Job, out) == 8 * out && offsetof(Job, size) == 8 * size &&
              offsetof(Job, key) == 8 * key && offsetof(Job, iv) == 8 * iv);

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
  __m512i min_ = _mm512_set1_epi64(-1), max_{}, any_{};
};

}  // namespace

struct Manager : ladder::Gathering<Job, Processor<Pipeline, OwnKeysBySize>, Summary> {
  void batch(std::span<Job> jobs) {
    finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      validate_and_process(jobs.first(std::min(jobs.size(), portion)));
    }
  }

 private:
  // If a job is invalid, all are gathered again, one by one.
  void validate_and_process(std::span<Job> jobs) {
    BatchSummary batch;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      batch.add(jobs[i]);
      sorter().jobs().put_without_bin(i, jobs[i]);
      jobs[i].status = Status::done;
    }
    const std::optional<Summary> summary = batch.of_valid_jobs();
    if (!summary) return process_portion(jobs);
    for (std::size_t i = 0; !summary->same_length && i < jobs.size(); ++i) sorter().jobs().note_bin(i, jobs[i]);
    sorter().process(jobs.size(), *summary);
  }
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
