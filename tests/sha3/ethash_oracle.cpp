#include "ethash_oracle.hpp"

#include <algorithm>
#include <cstring>

#include "common/places.hpp"
#include "oracle.hpp"

namespace sha3::oracle {
namespace {

std::uint32_t fnv(std::uint32_t a, std::uint32_t b) { return a * 0x01000193 ^ b; }

Words words_of(const std::vector<std::uint8_t>& bytes) {
  Words words;
  std::memcpy(words.data(), bytes.data(), sizeof words);
  return words;
}

Words hash_words(const Words& words) {
  return words_of(digest({reinterpret_cast<const std::uint8_t*>(words.data()), sizeof words}, 512));
}

}  // namespace

std::vector<Words> ethash_cache(std::span<const std::uint8_t> seed, std::size_t items) {
  std::vector<Words> cache{words_of(digest(seed, 512))};
  while (cache.size() < items) cache.push_back(hash_words(cache.back()));
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t i = 0; i < items; ++i) {
      Words mixed = cache[(i + items - 1) % items];
      for (std::size_t w = 0; w < 16; ++w) mixed[w] ^= cache[cache[i][0] % items][w];
      cache[i] = hash_words(mixed);
    }
  }
  return cache;
}

Words ethash_item(std::span<const Words> cache, std::uint32_t index) {
  Words mix = cache[index % cache.size()];
  mix[0] ^= index;
  mix = hash_words(mix);
  for (std::uint32_t parent = 0; parent < 256; ++parent) {
    const Words& other = cache[fnv(index ^ parent, mix[parent % 16]) % cache.size()];
    for (std::size_t w = 0; w < 16; ++w) mix[w] = fnv(mix[w], other[w]);
  }
  return hash_words(mix);
}

std::vector<std::uint8_t> ethash_mix(std::span<const Words> cache, std::uint64_t dataset_bytes,
                                     std::span<const std::uint8_t> header, std::uint64_t nonce) {
  std::vector<std::uint8_t> begin(header.begin(), header.end());
  for (int i = 0; i < 8; ++i) begin.push_back(static_cast<std::uint8_t>(nonce >> 8 * i));
  const Words seed = words_of(digest(begin, 512));
  std::array<std::uint32_t, 32> mix;
  for (std::size_t w = 0; w < 32; ++w) mix[w] = seed[w % 16];
  for (std::uint32_t access = 0; access < 64; ++access) {
    const std::uint32_t page =
        fnv(access ^ seed[0], mix[access % 32]) % static_cast<std::uint32_t>(dataset_bytes / 128);
    for (std::uint32_t half = 0; half < 2; ++half) {
      const Words item = ethash_item(cache, 2 * page + half);
      for (std::size_t w = 0; w < 16; ++w) mix[16 * half + w] = fnv(mix[16 * half + w], item[w]);
    }
  }
  std::array<std::uint32_t, 8> folded;
  for (std::size_t i = 0; i < 8; ++i)
    folded[i] = fnv(fnv(fnv(mix[4 * i], mix[4 * i + 1]), mix[4 * i + 2]), mix[4 * i + 3]);
  std::vector<std::uint8_t> bytes(sizeof folded);
  std::memcpy(bytes.data(), folded.data(), bytes.size());
  return bytes;
}

std::string cache_difference(std::span<const Words> made, std::span<const std::uint8_t> seed, std::size_t places) {
  const std::vector<Words> expected = ethash_cache(seed, made.size());
  for (const std::size_t i : ladder::drawn(made.size(), places)) {
    if (made[i] != expected[i]) return "item " + std::to_string(i) + " of the cache is not the oracle's";
  }
  return {};
}

std::string item_difference(std::span<const Words> made, std::span<const Words> cache, std::uint32_t index,
                            std::size_t places) {
  for (const std::size_t i : ladder::drawn(made.size(), places)) {
    const std::uint32_t place = index + static_cast<std::uint32_t>(i);
    if (made[i] == ethash_item(cache, place)) continue;
    return "item " + std::to_string(place) + " of the dataset is not the oracle's";
  }
  return {};
}

std::string mix_difference(std::span<const std::span<const std::uint8_t>> made, std::span<const Words> cache,
                           std::uint64_t dataset_bytes, std::span<const std::uint8_t> header, std::uint64_t nonce,
                           std::size_t places) {
  for (const std::size_t i : ladder::drawn(made.size(), places)) {
    if (std::ranges::equal(made[i], ethash_mix(cache, dataset_bytes, header, nonce + i))) continue;
    return "the mix of nonce " + std::to_string(nonce + i) + " is not the oracle's";
  }
  return {};
}

}  // namespace sha3::oracle
