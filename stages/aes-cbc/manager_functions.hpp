// Defines the functions of the contract that use a manager, by the methods of the stage's Manager. Include it after the
// Manager.
#pragma once

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem(); }

Job* submit(Manager& manager, Job& job) { return manager.submit(job); }
Job* flush(Manager& manager) { return manager.flush(); }
void batch(Manager& manager, std::span<Job> jobs) { manager.batch(jobs); }

}  // namespace aes_cbc
