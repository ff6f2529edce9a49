// Ethash, revision 23: cache, dataset and hashimoto, around the hashes of a stage.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ethash {

static_assert(std::endian::native == std::endian::little, "the words of an item are hashed as they stand in memory");

constexpr unsigned epoch_blocks = 30'000;
constexpr unsigned last_epoch = 32'639;  // the next one's cache would outgrow the numbers of 32 bits
constexpr std::uint64_t item_bytes = 64, page_bytes = 128;

// How many items or nonces the functions below take at most at the same time; more are done in turns.
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

// Hashes one message at a time, each upon the one before: the order of the specification leaves no other way.
void make_cache(const Hash& seed, std::span<Item> cache);
std::vector<Item> make_cache(const Hash& seed, std::uint64_t cache_bytes);

// All words e14a54a1b2c3d4e5: no epoch's, but as good for timing, made at once, and some items from it are known.
std::vector<Item> mock_cache(std::uint64_t cache_bytes);

// The item `index` of the dataset, as the miner of 2018 makes it: alone.
Item dataset_item(std::span<const Item> cache, std::uint32_t index);

// The items from `first` on. With `in_flight` of 1 one after the other, by dataset_item; else so many side by side,
// whose hashes are one batch, and whose parents are on the way from memory at the same time.
void dataset_items(std::span<const Item> cache, std::uint32_t first, std::span<Item> items, std::size_t in_flight = 8);

// Hashimoto over the whole dataset, or over its items made when they are needed.
Result full(std::span<const Item> dataset, const Hash& header, std::uint64_t nonce);
Result light(std::span<const Item> cache, std::uint64_t dataset_bytes, const Hash& header, std::uint64_t nonce);

// The same for results.size() nonces from `first_nonce` on, `in_flight` of them side by side. light_many has two items
// for each nonce in flight, so even with one it differs from light.
void full_many(std::span<const Item> dataset, const Hash& header, std::uint64_t first_nonce, std::span<Result> results,
               std::size_t in_flight = 8);
void light_many(std::span<const Item> cache, std::uint64_t dataset_bytes, const Hash& header, std::uint64_t first_nonce,
                std::span<Result> results, std::size_t in_flight = 4);

// From the mix of a block to its final hash without any dataset.
Hash final_hash(const Hash& header, std::uint64_t nonce, const Hash& mix_hash);

// Is the hash, as a number with its highest byte first, no higher than the boundary?
bool meets(const Hash& final_hash, const Hash& boundary);

Hash keccak256(std::span<const std::uint8_t> bytes);
Hash keccak256(std::span<const Item> items);

}  // namespace ethash
