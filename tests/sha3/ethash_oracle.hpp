// Ethash from its specification on top of the oracle's hashes; shares no code with stages/sha3/apps/ethash.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sha3::oracle {

using Words = std::array<std::uint32_t, 16>;  // of an item

std::vector<Words> ethash_cache(std::span<const std::uint8_t> seed, std::size_t items);
Words ethash_item(std::span<const Words> cache, std::uint32_t index);

// The mix of a nonce.
std::vector<std::uint8_t> ethash_mix(std::span<const Words> cache, std::uint64_t dataset_bytes,
                                     std::span<const std::uint8_t> header, std::uint64_t nonce);

// Each compares `places` of what was made, drawn at random, with the oracle: items of the cache from a seed, items of
// the dataset from `index` on, and mixes of nonces from `nonce` on. Empty, or what is wrong in one sentence.
std::string cache_difference(std::span<const Words> made, std::span<const std::uint8_t> seed, std::size_t places);
std::string item_difference(std::span<const Words> made, std::span<const Words> cache, std::uint32_t index,
                            std::size_t places);
std::string mix_difference(std::span<const std::span<const std::uint8_t>> made, std::span<const Words> cache,
                           std::uint64_t dataset_bytes, std::span<const std::uint8_t> header, std::uint64_t nonce,
                           std::size_t places);

}  // namespace sha3::oracle
