// Managers, and a batch by way of submit and flush, as they should be.
#pragma once

#include "cipher.hpp"
#include "manager.hpp"

namespace aes_cbc {

void batch(Manager& manager, std::span<Job> jobs) {
  for (Job& job : jobs) submit(manager, job);
  while (flush(manager)) {
  }
}

}  // namespace aes_cbc
