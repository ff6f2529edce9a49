// Whether the jobs of a batch have the same length and the same key.
#pragma once

#include "aes-cbc/aes_cbc.hpp"
#include "common/multibuffer/gathering.hpp"

namespace aes_cbc {

struct Summary : ladder::LengthSummary {
  const Key* key = nullptr;
  bool same_key = true;

  Summary() = default;
  explicit Summary(const Job& first) : LengthSummary(first), key(first.key) {}
  void add(const Job& job) {
    LengthSummary::add(job);
    same_key = same_key & (job.key == key);
  }
};

}  // namespace aes_cbc
