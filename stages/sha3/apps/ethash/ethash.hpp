// Ethash, revision 23: cache, dataset and hashimoto, around the hashes of a stage.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ethash {

static_assert(std::endian::native == std::endian::little, "the words of an item are hashed as they are in memory");

constexpr unsigned epoch_blocks = 30'000;
constexpr unsigned last_epoch = 32'639;  // the bound of the next cache, 2^32 bytes, does not fit into 32 bits
constexpr std::uint64_t item_bytes = 64, page_bytes = 128;

// The functions below interleave at most this many items or nonces. More are processed in groups.
constexpr std::size_t most_in_flight = 32;

using Hash = std::array<std::uint8_t, 32>;

struct alignas(item_bytes) Item {  // of the cache and of the dataset; two of the dataset make a page
  std::array<std::uint32_t, item_bytes / 4> words;

  bool operator==(const Item&) const = default;
};

struct Sizes {
  std::uint64_t cache_bytes, dataset_bytes;  // multiples of item_bytes and of page_bytes, not zero

  bool operator==(const Sizes&) const = default;
};

struct Result {
  Hash mix_hash, final_hash;

  bool operator==(const Result&) const = default;
};

constexpr Sizes tiny{1'024, 32'768};

Sizes sizes_of_epoch(unsigned epoch);
Hash seed_of_epoch(unsigned epoch);

// Hashes one message at a time: each needs the hash of the one before.
void make_cache(const Hash& seed, std::span<Item> cache);
std::vector<Item> make_cache(const Hash& seed, std::uint64_t cache_bytes);

// All words of 64 bits are e14a54a1b2c3d4e5. No epoch has this cache, but it is made quickly, and some of its
// items are known.
std::vector<Item> mock_cache(std::uint64_t cache_bytes);

// The items of the dataset from `first` on, `in_flight` of them interleaved. Their hashes are one batch, and their
// parents are fetched from memory at the same time. With 1, each waits for all of its parents in turn.
void dataset_items(std::span<const Item> cache, std::uint32_t first, std::span<Item> items,
                   std::size_t in_flight = most_in_flight);

// Hashimoto over the whole dataset, or over items that are made when they are needed.
Result full(std::span<const Item> dataset, const Hash& header, std::uint64_t nonce);
Result light(std::span<const Item> cache, std::uint64_t dataset_bytes, const Hash& header, std::uint64_t nonce);

// The same for results.size() nonces from `first_nonce` on, of which `in_flight` are interleaved. light_many makes two
// items for each nonce in flight.
void full_many(std::span<const Item> dataset, const Hash& header, std::uint64_t first_nonce, std::span<Result> results,
               std::size_t in_flight = 8);
void light_many(std::span<const Item> cache, std::uint64_t dataset_bytes, const Hash& header, std::uint64_t first_nonce,
                std::span<Result> results, std::size_t in_flight = 4);

// The final hash of a block from its mix, without a dataset.
Hash final_hash(const Hash& header, std::uint64_t nonce, const Hash& mix_hash);

// True if the hash, as a number with its highest byte first, is at most the boundary.
bool meets(const Hash& final_hash, const Hash& boundary);

Hash keccak256(std::span<const std::uint8_t> bytes);
Hash keccak256(std::span<const Item> items);

}  // namespace ethash
