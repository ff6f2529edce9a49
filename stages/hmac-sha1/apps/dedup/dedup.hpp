// De-duplication: data are cut into chunks of one size, each chunk is hashed as a job, and equal digests are counted.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "hmac-sha1/hmac_sha1.hpp"

namespace hmac_sha1::dedup {

constexpr std::size_t most_chunk_bytes = std::size_t{1} << 30;

using Digest = std::array<std::uint8_t, digest_bytes>;

struct Chunk {
  std::uint64_t offset;
  std::size_t size;
  const Digest& digest;
};

struct Totals {
  std::uint64_t bytes = 0, chunks = 0, distinct = 0;
  std::uint64_t duplicate_bytes = 0;        // in chunks that were seen before
  std::chrono::duration<double> hashing{};  // in the stage's `batch` alone
};

// Fills `room`, and returns less than its size only where the data end.
using Read = std::function<std::size_t(std::span<std::uint8_t> room)>;
using Visit = std::function<void(const Chunk&)>;

class Deduplication {
 public:
  explicit Deduplication(std::size_t chunk_bytes);  // 1 to most_chunk_bytes

  // All that `read` gives; its last chunk may be shorter. Chunks are visited in their order.
  void add(
      const Read& read, const Visit& visit = [](const Chunk&) {});

  const Totals& totals() const { return totals_; }

 private:
  void hash(std::span<const std::uint8_t> bytes);

  struct FirstBytes {  // of a digest are as good as any hash of it
    std::size_t operator()(const Digest& digest) const {
      std::size_t first;
      std::memcpy(&first, digest.data(), sizeof first);
      return first;
    }
  };

  std::size_t chunk_bytes_, window_chunks_;
  std::unique_ptr<std::uint8_t[]> window_;
  std::vector<Job> jobs_;
  std::vector<Digest> digests_;
  OwnManager manager_{make_manager()};
  std::unordered_set<Digest, FirstBytes> seen_;
  Totals totals_;
};

}  // namespace hmac_sha1::dedup
