#include "hmac-sha1/apps/dedup/dedup.hpp"

#include <algorithm>
#include <stdexcept>

namespace hmac_sha1::dedup {

// Enough jobs for 16 lanes, unless a chunk is larger than 4 MiB. The window has at most 64 MiB, or one chunk.
constexpr std::size_t most_jobs = 4'096, most_window_bytes = std::size_t{64} << 20;

Deduplication::Deduplication(std::size_t chunk_bytes)
    : chunk_bytes_(chunk_bytes),
      window_chunks_(std::clamp<std::size_t>(most_window_bytes / chunk_bytes, 1, most_jobs)),
      window_(std::make_unique_for_overwrite<std::uint8_t[]>(window_chunks_ * chunk_bytes)),
      digests_(window_chunks_) {}

void Deduplication::hash(std::span<const std::uint8_t> bytes) {
  jobs_.clear();
  for (std::size_t at = 0; at < bytes.size(); at += chunk_bytes_) {
    const std::size_t size = std::min(chunk_bytes_, bytes.size() - at);
    jobs_.push_back({&bytes[at], size, nullptr, digests_[jobs_.size()].data(), digest_bytes, Status::waiting});
  }
  const auto begin = std::chrono::steady_clock::now();
  batch(*manager_, jobs_);
  totals_.hashing += std::chrono::steady_clock::now() - begin;
  if (!std::ranges::all_of(jobs_, [](const Job& job) { return job.status == Status::done; })) {
    throw std::logic_error("A chunk was not hashed.");
  }
}

void Deduplication::add(const Read& read, const Visit& visit) {
  const std::span window(window_.get(), window_chunks_ * chunk_bytes_);
  std::uint64_t offset = 0;
  std::size_t filled;
  do {
    filled = read(window);
    hash(window.first(filled));
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      visit({offset, jobs_[i].size, digests_[i]});
      offset += jobs_[i].size;
      if (!seen_.insert(digests_[i]).second) totals_.duplicate_bytes += jobs_[i].size;
    }
    totals_.chunks += jobs_.size();
  } while (filled == window.size());
  totals_.bytes += offset;
  totals_.distinct = seen_.size();
}

}  // namespace hmac_sha1::dedup
