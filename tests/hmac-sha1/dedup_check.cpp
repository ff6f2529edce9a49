// Does de-duplication, on top of a stage, cut, hash and count as it should? Files are left to the program's own test.
#include <gtest/gtest.h>

#include <algorithm>
#include <hmac-sha1/constants.hpp>
#include <hmac-sha1/peers/with_hash.hpp>
#include <set>

#include "common/bytes.hpp"
#include "hmac-sha1/apps/dedup/dedup.hpp"
#include "oracle.hpp"

namespace hmac_sha1::dedup {
namespace {

using Bytes = oracle::Bytes;

Read from(const Bytes& bytes) {
  return [&bytes, at = std::size_t{0}](std::span<std::uint8_t> room) mutable {
    const std::size_t count = std::min(room.size(), bytes.size() - at);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count, room.begin());
    at += count;
    return count;
  };
}

// All of it by the oracle, one chunk after the other.
void expect_right(const Bytes& bytes, std::size_t chunk_bytes) {
  std::set<Digest> known;
  std::uint64_t at = 0, chunks = 0, duplicate_bytes = 0;
  Deduplication deduplication(chunk_bytes);
  deduplication.add(from(bytes), [&](const Chunk& chunk) {
    EXPECT_EQ(chunk.offset, at);
    EXPECT_EQ(chunk.size, std::min<std::uint64_t>(chunk_bytes, bytes.size() - at));
    Digest digest;
    std::ranges::copy(oracle::sha1(std::span(bytes).subspan(at, chunk.size)), digest.begin());
    EXPECT_EQ(chunk.digest, digest) << "at " << at;
    if (!known.insert(digest).second) duplicate_bytes += chunk.size;
    at += chunk.size;
    ++chunks;
  });
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(deduplication.totals().bytes, bytes.size());
  EXPECT_EQ(deduplication.totals().chunks, chunks);
  EXPECT_EQ(deduplication.totals().distinct, known.size());
  EXPECT_EQ(deduplication.totals().duplicate_bytes, duplicate_bytes);
}

// More chunks than there are in a window, and one that is not whole; a third of the data is there twice.
TEST(Dedup, EveryChunkAgreesWithTheOracle) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  Bytes bytes(30'007);
  ladder::Generator(1).fill(bytes);
  std::copy_n(bytes.begin(), 10'007, bytes.begin() + 20'000);
  for (const std::size_t chunk_bytes : {1, 2, 63, 64, 65, 1'000, 10'000, 30'006, 30'007, 30'008, 50'000}) {
    SCOPED_TRACE("chunks of " + std::to_string(chunk_bytes));
    expect_right(bytes, chunk_bytes);
  }
}

// Where a window ends and there is nothing behind it.
TEST(Dedup, WholeWindows) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  for (const std::size_t size : {4'095, 4'096, 4'097, 8'192}) {
    SCOPED_TRACE("file of " + std::to_string(size));
    expect_right(Bytes(size, 'a'), 1);
  }
}

TEST(Dedup, NothingHasNoChunks) { expect_right({}, 4'096); }

TEST(Dedup, ChunksBeginAnewWithEachFile) {
  if (steps != 80 || !with_hash) GTEST_SKIP() << "no SHA-1";
  const Bytes first{1, 2, 3, 1, 2}, second{3, 1, 2, 1, 2};
  Deduplication deduplication(3);
  deduplication.add(from(first));
  deduplication.add(from(second));
  const Totals& totals = deduplication.totals();
  EXPECT_EQ(totals.chunks, 4u);  // 123 12, 312 12
  EXPECT_EQ(totals.distinct, 3u);
  EXPECT_EQ(totals.duplicate_bytes, 2u);
  EXPECT_EQ(totals.bytes, 10u);
}

}  // namespace
}  // namespace hmac_sha1::dedup
