// Encrypts sorted jobs in eight lanes. If they share a key, each round key is loaded once for all lanes.
#pragma once

#include <span>

#include "aes-cbc/09-sort-by-length/encrypt_group.hpp"
#include "aes-cbc/10-padded-groups/groups.hpp"
#include "aes-cbc/13-shared-key/summary.hpp"
#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

class Processor {
 public:
  void operator()(std::span<Job* const> jobs, const Summary& summary) const {
    const Groups<width> groups(jobs);
    if (summary.same_key) {
      groups.for_each([](Job* const* group) { encrypt_group(group, encrypt_with_one_key); });
    } else {
      groups.for_each([](Job* const* group) { encrypt_group(group, encrypt_with_keys); });
    }
  }

 private:
  static void encrypt_with_one_key(Lanes<width>& lanes, std::size_t size) {
    encrypt(lanes, size, [&](unsigned, unsigned round) { return load(&lanes.key[0]->encrypting[round]); });
  }
  static void encrypt_with_keys(Lanes<width>& lanes, std::size_t size) { encrypt(lanes, size); }
};

}  // namespace aes_cbc
