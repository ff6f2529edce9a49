// Longer jobs are gathered at the place that they have in the batch. As many are taken as there are, from the first
// place on: short jobs before them push the last ones out.
#include "../cipher.hpp"
#include "../decrypting.hpp"
#include "../submitting.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  const auto is_short = [](const Job& job) { return job.size <= block_bytes; };
  const auto longer = jobs.size() - static_cast<std::size_t>(std::ranges::count_if(jobs, is_short));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (refused(manager, jobs[i])) continue;
    if (is_short(jobs[i]) || i < longer) encrypt(jobs[i]);
    jobs[i].status = Status::done;
  }
}

}  // namespace aes_cbc
