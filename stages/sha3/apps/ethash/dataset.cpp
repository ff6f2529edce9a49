// The file: a header, a checksum for each chunk (zero until the chunk is made), and the items.
#include "sha3/apps/ethash/dataset.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "sha3/sha3.hpp"

namespace ethash {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t chunk_bytes = 1 << 20;
constexpr std::uint64_t header_bytes = 4'096;  // a page of memory: each part begins on a page

struct Header {
  std::array<char, 16> magic{"perf-ladders DS"};
  std::uint32_t version = 1;
  std::uint32_t epoch;
  std::uint64_t cache_bytes, dataset_bytes, bytes_in_chunk = chunk_bytes;
  std::uint32_t padding = sha3::padding, rounds = sha3::rounds;
  Hash seed;
};
static_assert(std::has_unique_object_representations_v<Header> && sizeof(Header) <= header_bytes);

Header header_of(const Plan& plan) {
  return {.epoch = plan.epoch,
          .cache_bytes = plan.sizes.cache_bytes,
          .dataset_bytes = plan.sizes.dataset_bytes,
          .seed = seed_of_epoch(plan.epoch)};
}

std::uint64_t chunk_count(const Plan& plan) { return (plan.sizes.dataset_bytes + chunk_bytes - 1) / chunk_bytes; }

std::uint64_t bytes_of_chunk(const Plan& plan, std::uint64_t chunk) {
  return std::min(chunk_bytes, plan.sizes.dataset_bytes - chunk * chunk_bytes);
}

std::uint64_t place_of_items(const Plan& plan) {
  const std::uint64_t end = header_bytes + chunk_count(plan) * sizeof(Hash);
  return (end + header_bytes - 1) / header_bytes * header_bytes;
}

std::uint64_t file_bytes(const Plan& plan) { return place_of_items(plan) + plan.sizes.dataset_bytes; }

std::string reason(int error) { return std::generic_category().message(error); }

std::string delete_it(const Plan& plan) {
  return " Delete it, and `ethash dataset` makes that of epoch " + std::to_string(plan.epoch) + " again.";
}

class File {
 public:
  File(const fs::path& path, int flags) : name_(path.string()), descriptor_(open(path.c_str(), flags, 0644)) {
    if (descriptor_ >= 0) return;
    const int error = errno;
    if (error == ENOENT) throw Unusable("There is no " + name_ + ". `ethash dataset` makes it.");
    throw Unusable(name_ + " cannot be opened: " + reason(error) + ". Name another folder with --folder.");
  }
  ~File() { close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }

  std::uint64_t size() const {
    struct stat status;
    if (fstat(descriptor_, &status) != 0) fail("examined");
    return static_cast<std::uint64_t>(status.st_size);
  }

  // Throws Unusable if another process makes the dataset, or reads it while it should be made.
  void lock(int operation) const {
    if (flock(descriptor_, operation | LOCK_NB) == 0) return;
    if (errno != EWOULDBLOCK) fail("locked");
    throw Unusable("Another process uses " + name_ + ". Wait until it has ended.");
  }

  void read(void* data, std::size_t count, std::uint64_t place) const {
    for (auto* bytes = static_cast<std::uint8_t*>(data); count > 0;) {
      const ssize_t done = pread(descriptor_, bytes, count, static_cast<off_t>(place));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail("read");
      if (done == 0) throw Unusable(name_ + " became shorter while it was read. Start again.");
      bytes += done;
      count -= static_cast<std::size_t>(done);
      place += static_cast<std::uint64_t>(done);
    }
  }

  void write(const void* data, std::size_t count, std::uint64_t place) const {
    for (const auto* bytes = static_cast<const std::uint8_t*>(data); count > 0;) {
      const ssize_t done = pwrite(descriptor_, bytes, count, static_cast<off_t>(place));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail("written");
      bytes += done;
      count -= static_cast<std::size_t>(done);
      place += static_cast<std::uint64_t>(done);
    }
  }

  // Reserves all of the space first, so that a full disk is noticed before an hour of work.
  void reserve(std::uint64_t count) const {
    const std::uint64_t before = size();
    const int error = posix_fallocate(descriptor_, 0, static_cast<off_t>(count));
    if (error == 0) return;
    if (ftruncate(descriptor_, static_cast<off_t>(before)) != 0) fail("shortened");
    throw Unusable("There is no room for the " + std::to_string(count) + " bytes of " + name_ + ": " + reason(error) +
                   ". Free some space, or name another folder with --folder.");
  }

 private:
  [[noreturn]] void fail(const char* participle) const {
    const int error = errno;
    throw Unusable(name_ + " cannot be " + participle + ": " + reason(error) +
                   ". Fix that, or name another folder with --folder.");
  }

  std::string name_;
  int descriptor_;
};

void check_header(const File& file, const std::string& name, const Plan& plan) {
  Header found;
  if (file.size() < header_bytes) throw Unusable(name + " is no dataset: it is too short for one." + delete_it(plan));
  file.read(&found, sizeof found, 0);
  const Header wanted = header_of(plan);
  if (found.magic != wanted.magic) throw Unusable(name + " is no dataset." + delete_it(plan));
  if (found.version != wanted.version) {
    throw Unusable(name + " was written by another version of this program." + delete_it(plan));
  }
  if (std::memcmp(&found, &wanted, sizeof found) != 0) {
    throw Unusable(name + " is a dataset of another epoch, of other sizes or of another hash." + delete_it(plan));
  }
}

void check_size(const File& file, const std::string& name, const Plan& plan) {
  const std::uint64_t size = file.size(), wanted = file_bytes(plan);
  if (size == wanted) return;
  throw Unusable(name + (size < wanted ? " is truncated: it has " : " is too long: it has ") + std::to_string(size) +
                 " bytes instead of " + std::to_string(wanted) + "." + delete_it(plan));
}

std::vector<Hash> read_checksums(const File& file, const Plan& plan) {
  std::vector<Hash> checksums(chunk_count(plan));
  file.read(checksums.data(), checksums.size() * sizeof(Hash), header_bytes);
  return checksums;
}

// Calls with every number below `count`, and stops after an exception.
void on_all_cores(std::uint64_t count, auto&& call) {
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr first_failure;
  const auto work = [&] {
    try {
      for (std::uint64_t i; (i = next++) < count;) call(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first_failure) first_failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads(std::max(1u, std::thread::hardware_concurrency()));
    for (std::jthread& thread : threads) thread = std::jthread(work);
  }
  if (first_failure) std::rethrow_exception(first_failure);
}

class Counter {
 public:
  Counter(const Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {}

  void one_more() {
    const std::lock_guard lock(mutex_);
    progress_(++done_, total_);
  }

 private:
  const Progress& progress_;
  std::mutex mutex_;
  std::uint64_t done_ = 0, total_;
};

}  // namespace

Dataset::Dataset(const fs::path& path, const Plan& plan) : path_(path), plan_(plan) {
  const std::string name = path.string();
  const File file(path, O_RDONLY);
  file.lock(LOCK_SH);
  check_header(file, name, plan);
  check_size(file, name, plan);
  const std::vector<Hash> checksums = read_checksums(file, plan);
  const auto missing = std::count(checksums.begin(), checksums.end(), Hash{});
  if (missing != 0) {
    throw Unusable(name + " is not finished: " + std::to_string(missing) + " of " + std::to_string(checksums.size()) +
                   " chunks are missing. `ethash dataset` makes them.");
  }
  void* mapped = mmap(nullptr, file_bytes(plan), PROT_READ, MAP_SHARED, file.descriptor(), 0);
  if (mapped == MAP_FAILED) {
    throw Unusable(name + " cannot be mapped: " + reason(errno) + ". Choose a smaller dataset.");
  }
  mapped_ = static_cast<const std::uint8_t*>(mapped);
}

Dataset::~Dataset() { munmap(const_cast<std::uint8_t*>(mapped_), file_bytes(plan_)); }

std::span<const Item> Dataset::items() const {
  return {reinterpret_cast<const Item*>(mapped_ + place_of_items(plan_)), plan_.sizes.dataset_bytes / item_bytes};
}

void Dataset::verify(const Progress& progress) const {
  const std::uint64_t count = chunk_count(plan_);
  const std::uint8_t* items = mapped_ + place_of_items(plan_);
  Counter counter(progress, count);
  on_all_cores(count, [&](std::uint64_t chunk) {
    const Hash found = keccak256({items + chunk * chunk_bytes, bytes_of_chunk(plan_, chunk)});
    if (std::memcmp(found.data(), mapped_ + header_bytes + chunk * sizeof(Hash), sizeof found) != 0) {
      throw Unusable(path_.string() + " is damaged: chunk " + std::to_string(chunk + 1) + " of " +
                     std::to_string(count) + " does not have its checksum." + delete_it(plan_));
    }
    counter.one_more();
  });
}

fs::path default_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "perf-ladders/ethash";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return fs::path(home) / ".cache/perf-ladders/ethash";
  }
  throw Unusable("Neither XDG_CACHE_HOME nor HOME names a folder for the dataset. Name one with --folder.");
}

fs::path dataset_path(const fs::path& folder, const Plan& plan) {
  const std::string hash = sha3::padding == 0x01 ? "" : "-padding-" + std::to_string(sha3::padding);
  return folder / ("epoch-" + std::to_string(plan.epoch) + "-" + std::to_string(plan.sizes.cache_bytes) + "-" +
                   std::to_string(plan.sizes.dataset_bytes) + hash + ".dataset");
}

void make_dataset(const fs::path& path, const Plan& plan, const Progress& progress) {
  // A file that cannot be written is left as it is. The constructor of Dataset checks whether it is finished.
  if (access(path.c_str(), F_OK) == 0 && access(path.c_str(), W_OK) != 0) return;
  const std::string name = path.string();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) {
    throw Unusable("The folder " + path.parent_path().string() + " cannot be made: " + error.message() +
                   ". Name another with --folder.");
  }
  const File file(path, O_RDWR | O_CREAT);
  file.lock(LOCK_EX);
  if (file.size() == 0) {
    std::array<std::uint8_t, header_bytes> page{};
    const Header header = header_of(plan);
    std::memcpy(page.data(), &header, sizeof header);
    file.write(page.data(), page.size(), 0);
  }
  check_header(file, name, plan);
  if (file.size() == header_bytes) file.reserve(file_bytes(plan));
  check_size(file, name, plan);

  const std::vector<Hash> checksums = read_checksums(file, plan);
  std::vector<std::uint64_t> missing;
  for (std::uint64_t chunk = 0; chunk < checksums.size(); ++chunk) {
    if (checksums[chunk] == Hash{}) missing.push_back(chunk);
  }
  if (missing.empty()) return;

  const std::vector<Item> cache = make_cache(seed_of_epoch(plan.epoch), plan.sizes.cache_bytes);
  Counter counter(progress, missing.size());
  on_all_cores(missing.size(), [&](std::uint64_t i) {
    const std::uint64_t chunk = missing[i], count = bytes_of_chunk(plan, chunk);
    std::vector<Item> items(count / item_bytes);
    dataset_items(cache, static_cast<std::uint32_t>(chunk * (chunk_bytes / item_bytes)), items);
    const Hash checksum = keccak256(items);
    file.write(items.data(), count, place_of_items(plan) + chunk * chunk_bytes);
    file.write(checksum.data(), checksum.size(), header_bytes + chunk * sizeof checksum);
    counter.one_more();
  });
}

}  // namespace ethash
