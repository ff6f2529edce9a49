// A manager that encrypts jobs of up to two blocks as they come, and of three in a batch with a key for each job.
#pragma once

#include <algorithm>
#include <span>

#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/32-rest-by-count/by_count.hpp"
#include "aes-cbc/33-short-jobs-at-once/at_once.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

constexpr std::size_t short_with_own_key = 3 * block_bytes;

// The first two jobs of a batch tell whether jobs share their key. If others do not, only the time is different. The
// loop is that of ShortAtOnce, with another limit.
template <class Processor>
class AtOnceByKey : public ShortAtOnce<Processor> {
 public:
  void batch(std::span<Job> jobs) {
    if (jobs.size() > 1 && jobs[0].key == jobs[1].key) return ShortAtOnce<Processor>::batch(jobs);
    this->finish();
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), this->portion))) {
      process_portion(jobs.first(std::min(jobs.size(), this->portion)));
    }
  }

 private:
  void process_portion(std::span<Job> jobs) {
    std::size_t count = 0;
    Summary summary;
    for (Job& job : jobs) {
      if (this->refused(job)) continue;
      if (job.size <= short_with_own_key) {
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
