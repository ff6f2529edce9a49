// A manager that encrypts jobs of at most one block as they come. In a batch it does so only if the first job is as
// short.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/27-vector-validation/validated_at_once.hpp"
#include "aes-cbc/36-one-job/no_lanes.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

constexpr std::size_t short_bytes = block_bytes;  // jobs of up to this length take longer in a lane than alone

class ShortAtOnce : public ValidatedAtOnce<NoLanesOrByCount> {
 public:
  Job* submit(Job& job) {
    if (job.size > short_bytes || refused(job)) return Gathering::submit(job);
    encrypt_alone(job);
    job.status = Status::done;
    return &job;
  }

  // A decision for each job would cost time where all are longer. So short jobs behind a longer first one take lanes.
  void batch(std::span<Job> jobs) {
    if (jobs.empty() || jobs.front().size > short_bytes) return ValidatedAtOnce::batch(jobs);
    finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      process(jobs.first(std::min(jobs.size(), portion)));
    }
  }

 private:
  void process(std::span<Job> jobs) {
    BatchSummary batch;
    std::size_t count = 0;
    for (Job& job : jobs) {
      if (job.size <= short_bytes && problem_of(job) == Problem::none) {
        encrypt_alone(job);
      } else {
        batch.add(job);
        sorter().jobs().put_without_bin(count++, job);
      }
      job.status = Status::done;
    }
    const std::optional<Summary> summary = batch.of_valid_jobs();
    if (!summary) return process_valid_ones(count);
    for (std::size_t i = 0; !summary->same_length && i < count; ++i) sorter().jobs().note_bin(i, *sorter().jobs()[i]);
    sorter().process(count, *summary);
  }

  // Of the `count` jobs that were gathered.
  void process_valid_ones(std::size_t count) {
    std::size_t valid = 0;
    Summary summary;
    for (std::size_t i = 0; i < count; ++i) {
      Job& job = *sorter().jobs()[i];
      if (refused(job)) continue;
      if (valid == 0) summary = Summary(job);
      sorter().gather(valid++, job, summary);
    }
    sorter().process(valid, summary);
  }
};

}  // namespace aes_cbc
