// A batch of one job is encrypted at once, and jobs that wait are left for a flush.
#include "../holding.hpp"

namespace aes_cbc {
namespace {

bool finishes_what_waits(std::span<const Job> jobs) { return jobs.size() != 1; }

}  // namespace
}  // namespace aes_cbc
