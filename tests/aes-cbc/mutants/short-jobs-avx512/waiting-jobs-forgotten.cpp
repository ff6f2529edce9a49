// A batch whose first job is short leaves those that waited with the manager.
#include "../holding.hpp"

namespace aes_cbc {
namespace {

bool finishes_what_waits(std::span<const Job> jobs) { return jobs.empty() || jobs.front().size > block_bytes; }

}  // namespace
}  // namespace aes_cbc
