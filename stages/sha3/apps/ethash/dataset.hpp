// The dataset of an epoch in a file: made once on all cores, then checked and mapped for each use.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "sha3/apps/ethash/ethash.hpp"

namespace ethash {

// Its message is two sentences: what is wrong, and what to do.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Plan {
  unsigned epoch;
  Sizes sizes;
};

// Called with the finished work and all of the work, by one thread at a time.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

class Dataset {
 public:
  // Maps the file. Throws Unusable if it is missing, not finished or of another plan.
  Dataset(const std::filesystem::path& path, const Plan& plan);
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  std::span<const Item> items() const;

  // Throws Unusable if a chunk has changed since it was written.
  void verify(const Progress& progress) const;

 private:
  std::filesystem::path path_;
  Plan plan_;
  const std::uint8_t* mapped_ = nullptr;
};

// $XDG_CACHE_HOME/perf-ladders/ethash, or the same below ~/.cache. Throws Unusable if there is neither.
std::filesystem::path default_folder();

std::filesystem::path dataset_path(const std::filesystem::path& folder, const Plan& plan);

// Makes the missing chunks of the file: all, some or none. A process that is ended meanwhile loses only the unfinished
// chunks. Throws Unusable. Deletes nothing.
void make_dataset(const std::filesystem::path& path, const Plan& plan, const Progress& progress);

}  // namespace ethash
