// What stages 07 to 09 came to, for the stages after them: jobs are gathered, sorted by length, and handed back one by
// one.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "aes-cbc/aes_cbc.hpp"
#include "aes-cbc/jobs.hpp"

namespace aes_cbc {

// Whether jobs are all like the first one.
struct Alike {
  std::size_t size = 0;
  const Key* key = nullptr;
  bool sizes = true, keys = true;

  Alike() = default;
  explicit Alike(const Job& first) : size(first.size), key(first.key) {}
  void add(const Job& job) {
    sizes = sizes & (job.size == size);
    keys = keys & (job.key == key);
  }
};

// `encrypt(jobs, count, shared)` enciphers one job or more, least first; where it is `shared`, they have one key.
class Gathering {
 public:
  Job* submit(Job& job, auto&& encrypt) {
    if (refused(job, problem_)) return &job;
    if (count_ == 0) alike_ = Alike(job);
    gather(job, count_, alike_);
    if (count_ == window) work_on_waiting(encrypt);
    return hand_back();
  }

  Job* flush(auto&& encrypt) {
    if (next_ == finished_) work_on_waiting(encrypt);
    return hand_back();
  }

  void batch(std::span<Job> jobs, auto&& encrypt) {
    finish(encrypt);
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      work_on(jobs.first(std::min(jobs.size(), portion)), encrypt);
    }
  }

  // `Look` has been `at` many jobs before it tells in what they are `alike`, and nothing if one of them is invalid.
  // Then they are looked at one by one.
  template <class Look>
  void batch(std::span<Job> jobs, auto&& encrypt) {
    finish(encrypt);
    for (; !jobs.empty(); jobs = jobs.subspan(std::min(jobs.size(), portion))) {
      const std::span<Job> some = jobs.first(std::min(jobs.size(), portion));
      Look look;
      for (std::size_t i = 0; i < some.size(); ++i) {
        look.at(some[i]);
        gathered_[i] = &some[i];
        some[i].status = Status::done;
      }
      const std::optional<Alike> alike = look.alike();
      if (!alike) {
        work_on(some, encrypt);
        continue;
      }
      for (std::size_t i = 0; !alike->sizes && i < some.size(); ++i) bin_of_[i] = bin(some[i]);
      work_on_gathered(some.size(), *alike, encrypt);
    }
  }

  Problem problem() const { return problem_; }

 private:
  static constexpr std::size_t window = 128;     // jobs that `submit` gathers
  static constexpr std::size_t portion = 1'024;  // jobs that are sorted together
  static constexpr std::size_t bins = 256;       // by number of blocks; longer buffers share the last one

  static std::uint16_t bin(const Job& job) {
    return static_cast<std::uint16_t>(std::min(job.size / block_bytes, bins - 1));
  }

  // What sorting has to know is noted while the job is at hand: a batch is more than the first cache holds.
  void gather(Job& job, std::size_t& count, Alike& alike) {
    gathered_[count] = &job;
    bin_of_[count] = bin(job);
    alike.add(job);
    ++count;
  }

  // By number of blocks, least first: count, add up, put each job in its place.
  Job* const* sorted(std::size_t count) {
    std::uint16_t begins[bins + 1] = {};
    for (std::size_t i = 0; i < count; ++i) ++begins[bin_of_[i] + 1];
    for (std::size_t bin = 1; bin < bins; ++bin) begins[bin] += begins[bin - 1];
    Job** const longest = sorted_.data() + begins[bins - 1];
    for (std::size_t i = 0; i < count; ++i) sorted_[begins[bin_of_[i]]++] = gathered_[i];
    std::sort(longest, sorted_.data() + count, [](const Job* a, const Job* b) { return a->size < b->size; });
    return sorted_.data();
  }

  void work_on_gathered(std::size_t count, const Alike& alike, auto&& encrypt) {
    if (count != 0) encrypt(alike.sizes ? gathered_.data() : sorted(count), count, alike.keys);
  }

  void finish(auto&& encrypt) {
    while (flush(encrypt)) {
    }
  }

  void work_on(std::span<Job> jobs, auto&& encrypt) {
    std::size_t count = 0;
    Alike alike(jobs[0]);
    for (Job& job : jobs) {
      if (refused(job, problem_)) continue;
      gather(job, count, alike);
      job.status = Status::done;
    }
    work_on_gathered(count, alike, encrypt);
  }

  void work_on_waiting(auto&& encrypt) {
    work_on_gathered(count_, alike_, encrypt);
    std::copy_n(gathered_.begin(), count_, ready_.begin());
    next_ = 0;
    finished_ = std::exchange(count_, 0);
  }

  Job* hand_back() {
    if (next_ == finished_) return nullptr;
    Job* const job = ready_[next_++];
    job->status = Status::done;
    return job;
  }

  std::array<Job*, portion> gathered_, sorted_;
  std::array<std::uint16_t, portion> bin_of_;
  std::size_t count_ = 0;  // of those that `submit` gathered
  Alike alike_;
  // By the time that a window is full, all that were ready have been handed back.
  std::array<Job*, window> ready_;
  std::size_t next_ = 0, finished_ = 0;  // of those ready: which one is next, and how many there were
  Problem problem_ = Problem::none;
};

}  // namespace aes_cbc
