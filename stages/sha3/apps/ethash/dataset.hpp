// The dataset of an epoch in a file: made once on all cores, checked and mapped whenever it is used.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "sha3/apps/ethash/ethash.hpp"

namespace ethash {

// Whose message is one sentence that says what is wrong, and another that says what to do.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Plan {
  unsigned epoch;
  Sizes sizes;
};

// Called with the work done and the whole of it, by one thread at a time.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

class Dataset {
 public:
  // Maps the file; throws Unusable if it is missing, not finished or not what is asked for.
  Dataset(const std::filesystem::path& path, const Plan& plan);
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  std::span<const Item> items() const;

  // Throws Unusable if a chunk is not what was once written.
  void verify(const Progress& progress) const;

 private:
  std::filesystem::path path_;
  Plan plan_;
  const std::uint8_t* mapped_ = nullptr;
};

// $XDG_CACHE_HOME/perf-ladders/ethash, or the same below ~/.cache; throws Unusable where there is neither.
std::filesystem::path default_folder();

std::filesystem::path dataset_path(const std::filesystem::path& folder, const Plan& plan);

// Makes what is missing of the file: all of it, some chunks, or nothing. Whoever ends the process meanwhile loses no
// more than the chunks in work. Throws Unusable; deletes nothing.
void make_dataset(const std::filesystem::path& path, const Plan& plan, const Progress& progress);

}  // namespace ethash
