// A manager that encrypts jobs of one or two blocks as they come, and gathers and sorts all longer ones.
#pragma once

#include <algorithm>
#include <span>

#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/32-rest-by-count/by_count.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

constexpr std::size_t short_bytes = 2 * block_bytes;  // the core overlaps jobs of up to this length by itself

template <class Processor>
class ShortAtOnce : public ladder::Gathering<Job, Processor, Summary> {
 public:
  Job* submit(Job& job) {
    if (job.size > short_bytes || this->refused(job)) return ladder::Gathering<Job, Processor, Summary>::submit(job);
    encrypt_alone(job);
    job.status = Status::done;
    return &job;
  }

  void batch(std::span<Job> jobs) { encrypt_batch(jobs, short_bytes); }

 protected:
  void encrypt_batch(std::span<Job> jobs, std::size_t at_once_bytes) {
    this->finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), this->portion))) {
      encrypt_portion(jobs.first(std::min(jobs.size(), this->portion)), at_once_bytes);
    }
  }

 private:
  void encrypt_portion(std::span<Job> jobs, std::size_t at_once_bytes) {
    std::size_t count = 0;
    Summary summary;
    for (Job& job : jobs) {
      if (this->refused(job)) continue;
      if (job.size <= at_once_bytes) {
        encrypt_alone(job);
      } else {
        if (count == 0) summary = Summary(job);
        this->sorter().gather(count++, job, summary);
      }
      job.status = Status::done;
    }
    this->sorter().process(count, summary);
  }
};

}  // namespace aes_cbc
