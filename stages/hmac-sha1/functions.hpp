// Defines the functions of the contract by the methods of the stage's Manager. Include it after the Manager.
#pragma once

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1 {

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.submit(job); }
Job* flush(Manager& manager) { return manager.flush(); }
void batch(Manager& manager, std::span<Job> jobs) { manager.batch(jobs); }

}  // namespace hmac_sha1
