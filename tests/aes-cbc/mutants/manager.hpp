// Managers that know nothing of each other, as it should be.
#pragma once

#include "cipher.hpp"

namespace aes_cbc {

Manager* make_manager() { return new Manager; }
void free_manager(Manager* manager) { delete manager; }
Problem problem(const Manager& manager) { return manager.problem; }

}  // namespace aes_cbc
