// Counting sort by length: jobs are counted by their number of blocks and put in place, without a comparison.
// requires: aes sse4.1
#include <algorithm>

#include "aes-cbc/02-aes-instructions/decrypt.hpp"
#include "aes-cbc/08-phminposuw/scheduler.hpp"
#include "aes-cbc/09-sort-by-length/encrypt_group.hpp"
#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/counting_sort.hpp"

namespace aes_cbc {

struct Manager : Scheduler {
  void batch(std::span<Job> all) {
    while (flush()) {
    }
    for (; !all.empty(); all = all.subspan(std::min(all.size(), portion))) {
      std::size_t count = 0;
      bool same_length = true;
      for (Job& job : all.first(std::min(all.size(), portion))) {
        if (refused(job)) continue;
        jobs.put(count++, job);
        same_length = same_length & (job.size == jobs[0]->size);
        job.status = Status::done;
      }
      if (count != 0) process(same_length ? jobs.unsorted(count) : jobs.sorted(count));
    }
  }

 private:
  static constexpr std::size_t portion = ladder::CountingSort<Job>::capacity;

  static void process(std::span<Job* const> sorted) {
    const auto encrypt_lanes = [](Lanes<width>& lanes, std::size_t size) { encrypt(lanes, size); };
    Groups<width>(sorted).for_each([&](Job* const* group) { encrypt_group(group, encrypt_lanes); });
  }

  ladder::CountingSort<Job> jobs;
};

}  // namespace aes_cbc

#include "aes-cbc/functions.hpp"
