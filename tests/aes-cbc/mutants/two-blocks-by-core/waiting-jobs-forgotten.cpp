// A batch whose first job has two blocks leaves the jobs that wait for a flush.
#include "../holding.hpp"

namespace aes_cbc {
namespace {

bool finishes_what_waits(std::span<const Job> jobs) { return jobs.size() < 2 || jobs[0].size != 2 * block_bytes; }

}  // namespace
}  // namespace aes_cbc
