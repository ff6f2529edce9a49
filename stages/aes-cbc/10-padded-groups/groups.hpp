// Sorted jobs in groups.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "aes-cbc/aes_cbc.hpp"

namespace aes_cbc {

// One job or more, shortest first. If they do not fill all groups, the first group begins with empty jobs.
template <unsigned width>
class Groups {
 public:
  explicit Groups(std::span<Job* const> jobs)
      : empty_{nothing, nothing, 0, jobs[0]->key, nothing, Status::waiting}, end_(jobs.data() + jobs.size()) {
    const std::size_t few = jobs.size() % width;
    padded_.fill(&empty_);
    std::copy_n(jobs.data(), few, padded_.end() - few);
    first_ = few != 0 ? padded_.data() : jobs.data();
    second_ = jobs.data() + (few != 0 ? few : width);
  }
  Groups(const Groups&) = delete;  // points into itself
  Groups& operator=(const Groups&) = delete;

  Job* const* first() const { return first_; }

  // The next group; null after the last one.
  Job* const* after(Job* const* group) const {
    Job* const* const next = group == first_ ? second_ : group + width;
    return next == end_ ? nullptr : next;
  }

  void for_each(auto&& process) const {
    for (Job* const* group = first_; group != nullptr; group = after(group)) process(group);
  }

 private:
  static inline std::uint8_t nothing[64];  // a buffer for empty jobs, as large as any vector

  Job empty_;
  std::array<Job*, width> padded_;
  Job *const *first_, *const *second_, *const *end_;
};

}  // namespace aes_cbc
